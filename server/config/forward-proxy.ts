import http from "node:http";
import { OperatorError } from "./operator-error.ts";

const LOOPBACK = "localhost,127.0.0.1,[::1]";

/**
 * Sends https requests to other machines through the company's proxy if `HTTPS_PROXY` names one, except to the hosts in
 * `NO_PROXY`. This uses Node's own support. Returns a function that ends it. Throws OperatorError.
 */
export function connectThroughProxy(environment: NodeJS.ProcessEnv): () => void {
  const https_proxy = environment["https_proxy"] || environment["HTTPS_PROXY"];
  if (!https_proxy) return () => undefined;
  // The address may contain a password, so the message doesn't quote it.
  if (!URL.canParse(https_proxy)) {
    throw new OperatorError("HTTPS_PROXY must be an address such as http://proxy.example.com:3128.");
  }
  const exceptions = environment["no_proxy"] || environment["NO_PROXY"];
  return http.setGlobalProxyFromEnv({ https_proxy, no_proxy: [LOOPBACK, exceptions].filter(Boolean).join() });
}
