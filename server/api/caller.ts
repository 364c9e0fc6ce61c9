import { isUuid } from "../../common/data/addresses.ts";
import type { AuthContext, Role } from "../postgres/database.ts";
import { AuthenticationError, type Claims, type Tokens } from "./access-token.ts";

/** The only roles that a client's token may have. The server's login could also switch to `supabase_auth_admin`. */
const CLIENT_ROLES: ReadonlySet<string> = new Set<Role>(["anon", "authenticated", "service_role"]);
const BEARER = /^bearer +(\S+)$/i;

/**
 * Identifies the caller by the request's bearer token or, if it has none, by its API key (the `apikey` header). If both
 * are sent, both must be valid. Throws AuthenticationError.
 */
export async function identifyCaller(tokens: Tokens, headers: Headers): Promise<AuthContext> {
  const verify = async (token: string) => toAuthContext(await tokens.verify(token));
  const apikey = headers.get("apikey") ?? "";
  const authorization = headers.get("authorization") ?? "";
  const bearer = BEARER.exec(authorization)?.[1] ?? "";
  if (authorization !== "" && bearer === "")
    throw new AuthenticationError("invalid", "The Authorization header contains no bearer token");
  if (apikey === "" && bearer === "") throw new AuthenticationError("missing", "No API key found in request");
  const keyContext = apikey === "" ? undefined : await verify(apikey);
  if (keyContext !== undefined && (bearer === "" || bearer === apikey)) return keyContext;
  return verify(bearer);
}

/**
 * Returns the caller's key for limits: the member's id, or `service_role`. Returns undefined for visitors,
 * whom limits count by their IP address.
 */
export function memberKey({ role, claims }: AuthContext): string | undefined {
  return role === "anon" ? undefined : String(claims?.["sub"] ?? role);
}

function toAuthContext(claims: Claims): AuthContext {
  const { role, sub, session_id } = claims;
  if (!CLIENT_ROLES.has(role)) throw new AuthenticationError("role", "The role of the JWT is not accepted");
  const hasValidMember = role !== "authenticated" || (typeof sub === "string" && isUuid(sub));
  const hasValidSession = session_id === undefined || (typeof session_id === "string" && isUuid(session_id));
  if (!hasValidMember || !hasValidSession) throw new AuthenticationError("invalid", "Parsing claims failed");
  return { role: role as Role, claims };
}
