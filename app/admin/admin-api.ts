import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";

/** A request to `/admin/v1` that failed. The message is for the operator. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  /** GoTrue's code, such as `reauthentication_needed`, or `unreachable`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends a GET, or a POST with the body as JSON. Throws AdminError. */
export async function callAdmin<Result>(path: string, body?: object): Promise<Result> {
  const { fetch } = await openAuth();
  const init =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`/admin/v1${path}`, init).catch(() => undefined);
  const result = await response?.json().catch(() => undefined);
  if (response === undefined || result === undefined)
    throw new AdminError("unreachable", SERVICE_UNREACHABLE);
  if (!response.ok) throw new AdminError(String(result.code), String(result.message));
  return result;
}

/** Reads a file with the operator's access token. Throws AdminError. */
export async function readAdminFile(path: string): Promise<Blob> {
  const { fetch } = await openAuth();
  const response = await fetch(`/admin/v1${path}`).catch(() => undefined);
  if (response && !response.ok) {
    const { code, message } = await response.json().catch(() => ({ message: SERVICE_UNREACHABLE }));
    throw new AdminError(String(code), String(message));
  }
  // A response that breaks off rejects here.
  const file = await response?.blob().catch(() => undefined);
  if (file === undefined) throw new AdminError("unreachable", SERVICE_UNREACHABLE);
  return file;
}

export function errorMessage(error: unknown): string {
  return error instanceof AdminError ? error.message : SERVICE_UNREACHABLE;
}
