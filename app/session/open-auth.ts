import type { Backend } from "../data/client.ts";
import type { Auth } from "./auth.ts";

let backend: Backend | undefined;
let opened: Auth | undefined;

export function setBackend(known: Backend | undefined): void {
  backend = known;
}

/** Loads the auth client at its first call: a visitor without a session never downloads it. */
export async function openAuth(): Promise<Auth> {
  const { createAuth } = await import("./auth.ts");
  if (!backend) throw new Error("The site did not say where its backend is");
  opened ??= createAuth(backend);
  return opened;
}
