import type { Finding } from "../../common/data/operators.ts";
import { openTransport } from "../auth/mail.ts";
import type { Backend } from "../backends/types.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { origin } from "../config/settings-schema.ts";
import { listen } from "../http/listen.ts";

const TIMEOUT_MS = 3_000;

export async function isSite(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok && /^ok \S+\n$/.test(await response.text());
  } catch {
    return false;
  }
}

async function checkPort({ host, port }: Settings, isRunning: boolean): Promise<string> {
  const url = origin(host, port);
  if (!isRunning) {
    await (await listen(host, port)).close();
    return `PORT ${port} on ${host} is free.`;
  }
  const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * TIMEOUT_MS) });
  if (ok) return `The site is running at ${url}, and its database responds.`;
  throw new OperatorError(
    `The site is running at ${url}, but its database does not respond: check the site's log.`,
  );
}

async function checkProxy({ siteUrl, trustedProxies }: Settings): Promise<string> {
  // This server doesn't provide TLS, so an https site has a proxy in front of it, and TRUST_PROXY must be at least 1.
  if (!siteUrl.startsWith("https:") || trustedProxies > 0)
    return `TRUST_PROXY=${trustedProxies} is consistent with SITE_URL.`;
  throw new OperatorError(
    "With TRUST_PROXY=0, all visitors share the proxy's address, and one visitor can use up everyone's limits: set TRUST_PROXY to the number of proxies.",
  );
}

async function checkMail({ smtp }: Settings): Promise<string> {
  if (smtp === undefined) return "SMTP_HOST is not set, so emails are printed on the site's standard output.";
  const place = `${smtp.host}:${smtp.port}`;
  const transport = await openTransport(smtp);
  try {
    await transport.verify();
    return `The mail server ${place} responds.`;
  } catch (error) {
    const isLogin = error instanceof Error && "code" in error && error.code === "EAUTH";
    const settings = isLogin ? "SMTP_USER and SMTP_PASSWORD" : "SMTP_HOST, SMTP_PORT and SMTP_SECURE";
    throw new OperatorError(
      `The mail server ${place} cannot be used (${errorMessage(error).split("\n")[0]}): check ${settings}.`,
    );
  } finally {
    transport.close();
  }
}

async function checkSingleSignOn({ singleSignOn, siteUrl }: Settings): Promise<string> {
  if (singleSignOn === undefined) return "Single sign-on is not configured.";
  const { href } = singleSignOn.issuer;
  // Import it only if it is needed: commands should start fast.
  const { discover } = await import("../auth/oidc/provider.ts");
  await discover(singleSignOn).catch((error: unknown) => {
    throw new OperatorError(
      `The discovery document of ${href} cannot be used (${errorMessage(error)}): check OIDC_ISSUER, and whether this machine can reach it.`,
    );
  });
  return `The provider ${href} responds. It must know the redirect URI ${siteUrl}/auth/v1/callback.`;
}

async function findingOf(topic: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { topic, isProblem: false, text: await check() };
  } catch (error) {
    const message = errorMessage(error);
    const text = error instanceof OperatorError ? message : `The check failed: ${message}.`;
    return { topic, isProblem: true, text };
  }
}

/** Checks whether the site can start, or works, and says so in a sentence for each topic. Never throws. */
export function runChecks(settings: Settings, backend: Backend, isRunning: boolean): Promise<Finding[]> {
  const checks = {
    settings: async () => "All settings are valid.",
    port: () => checkPort(settings, isRunning),
    data: () => backend.check(isRunning),
    proxy: () => checkProxy(settings),
    mail: () => checkMail(settings),
    "sign-on": () => checkSingleSignOn(settings),
  };
  return Promise.all(Object.entries(checks).map(([topic, check]) => findingOf(topic, check)));
}
