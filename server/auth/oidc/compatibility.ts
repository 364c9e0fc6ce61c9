import type { ServerMetadata } from "openid-client";
import type { SingleSignOn } from "../../config/single-sign-on.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { ALGORITHMS, CLOCK_TOLERANCE_SECONDS, discover } from "./provider.ts";

/** Fetches the discovery document, and returns what must change at the provider. Throws as `discover` does. */
export async function providerProblems(settings: SingleSignOn): Promise<string[]> {
  let seconds = 0;
  const metadata = await discover(settings, async (url, options) => {
    const response = await limitedFetch(url, options);
    const date = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(date)) seconds = Math.round((date - Date.now()) / 1_000);
    return response;
  });
  return [...missingParts(metadata), ...clockProblem(seconds)];
}

/** Compares what the provider lists with what the site needs. A list that is missing says nothing. */
export function missingParts(metadata: ServerMetadata): string[] {
  const problems: string[] = [];
  const require = (listed: string[] | undefined, accepted: string[], problem: string) => {
    if (listed && !accepted.some((each) => listed.includes(each))) problems.push(problem);
  };
  require(metadata.response_types_supported, [
    "code",
  ], "It doesn't list the response type code: enable the authorization code flow.");
  require(metadata.id_token_signing_alg_values_supported, ALGORITHMS, "It signs ID tokens with a shared secret only: choose RS256 as the client's signature algorithm.");
  require(metadata.code_challenge_methods_supported, [
    "S256",
  ], "It doesn't list the PKCE method S256: enable it for the client.");
  require(metadata.token_endpoint_auth_methods_supported, [
    "client_secret_basic",
    "client_secret_post",
  ], "It doesn't accept a client secret: register the site as a confidential client.");
  for (const scope of ["openid", "email", "profile"]) {
    require(metadata.scopes_supported, [
      scope,
    ], `It doesn't list the scope ${scope}: allow it for the client.`);
  }
  return problems;
}

function clockProblem(seconds: number): string[] {
  if (Math.abs(seconds) <= CLOCK_TOLERANCE_SECONDS) return [];
  const direction = seconds > 0 ? "ahead of" : "behind";
  return [`Its clock is ${Math.abs(seconds)} seconds ${direction} this machine's: synchronize both.`];
}
