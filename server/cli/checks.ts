import type { Finding } from "../../common/data/operators.ts";
import { createAdminClient } from "../admin/admin-client.ts";
import { operatorsWithoutPasskey } from "../admin/passkeys.ts";
import { openTransport } from "../auth/send-email.ts";
import { findingOf } from "../backends/findings.ts";
import type { Backend } from "../backends/types.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import { relyingParty } from "../config/relying-party.ts";
import { readEnvironment, readSettingsFile, type Settings } from "../config/settings.ts";
import { isThisMachine, origin } from "../config/settings-schema.ts";
import { unknownSettings } from "../config/unknown-settings.ts";
import { listen } from "../http/listen.ts";
import type { Log } from "../http/log.ts";

const TIMEOUT_MS = 3_000;

export async function isSite(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok && /^ok \S+\n$/.test(await response.text());
  } catch {
    return false;
  }
}

async function checkNames(): Promise<string> {
  const unknown = unknownSettings(readEnvironment(), readSettingsFile());
  if (unknown.length === 0) return "All settings are valid.";
  throw new OperatorError(`${unknown.join(" ")} Correct or remove ${unknown.length === 1 ? "it" : "them"}.`);
}

async function checkPort(settings: Settings, backend: Backend, isRunning: boolean): Promise<string> {
  const { host, port, supabase } = settings;
  const url = origin(host, port);
  if (!isRunning) {
    await (await listen(host, port)).close();
    return `PORT ${port} on ${host} is free.`;
  }
  const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * TIMEOUT_MS) });
  if (!ok) {
    throw new OperatorError(
      `The site is running at ${url}, but its database does not respond: check the site's log.`,
    );
  }
  if (supabase === undefined) await checkKeysOf(url, backend);
  return `The site is running at ${url}, and its database responds.`;
}

/** Throws OperatorError if the site at `url` has other keys than these settings. */
async function checkKeysOf(url: string, backend: Backend): Promise<void> {
  const { serviceKey, ifKeyRejected } = await backend.adminAccess();
  const headers = { apikey: serviceKey, Authorization: `Bearer ${serviceKey}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status } = await fetch(`${url}/rest/v1/profiles?select=id&limit=1`, { headers, signal });
  if (status === 401)
    throw new OperatorError(`The site that is running at ${url} has other keys: ${ifKeyRejected}.`);
}

async function checkProxy({ siteUrl, trustedProxies }: Settings): Promise<string> {
  // This server doesn't provide TLS, so an https site has a proxy in front of it, and TRUST_PROXY must be at least 1.
  if (!siteUrl.startsWith("https:") || trustedProxies > 0)
    return `TRUST_PROXY=${trustedProxies} is consistent with SITE_URL.`;
  throw new OperatorError(
    "With TRUST_PROXY=0, all visitors share the proxy's address, and one visitor can use up everyone's limits: set TRUST_PROXY to the number of proxies.",
  );
}

async function checkMailServer({ smtp }: Settings): Promise<string> {
  if (smtp === undefined) return "SMTP_HOST is not set, so emails are printed on the site's standard output.";
  const address = `${smtp.host}:${smtp.port}`;
  const { host, secure, user, requireTLS } = smtp;
  const isLoginExposed = user !== undefined && !secure && !requireTLS && !isThisMachine(host);
  // With TLS required, the check of an optional upgrade fails before it sends the login unencrypted.
  const transport = await openTransport({ ...smtp, requireTLS: requireTLS || isLoginExposed });
  try {
    await transport.verify();
    return `The mail server ${address} responds.`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ETLS") {
      throw new OperatorError(
        requireTLS
          ? `The mail server ${address} offers no valid TLS, so SMTP_PASSWORD is not sent: use a server with TLS, or set SMTP_REQUIRE_TLS=off.`
          : `The mail server ${address} offers no valid TLS, so SMTP_PASSWORD travels unencrypted: use a server with TLS, and remove SMTP_REQUIRE_TLS=off.`,
      );
    }
    const isLogin = code === "EAUTH";
    const settings = isLogin ? "SMTP_USER and SMTP_PASSWORD" : "SMTP_HOST, SMTP_PORT and SMTP_SECURE";
    throw new OperatorError(
      `The mail server ${address} cannot be used (${errorMessage(error).split("\n")[0]}): check ${settings}.`,
    );
  } finally {
    transport.close();
  }
}

async function checkSingleSignOn({ singleSignOn, siteUrl }: Settings): Promise<string> {
  if (singleSignOn === undefined) return "Single sign-on is not configured.";
  const { href } = singleSignOn.issuer;
  // Import it only if it is needed: commands should start fast.
  const { providerProblems } = await import("../auth/oidc/compatibility.ts");
  const problems = await providerProblems(singleSignOn).catch((error: unknown) => {
    throw new OperatorError(
      `The discovery document of ${href} cannot be used (${errorMessage(error)}): check OIDC_ISSUER, and whether this machine can reach it.`,
    );
  });
  if (problems.length > 0)
    throw new OperatorError(`The provider ${href} must be changed: ${problems.join(" ")}`);
  return `The provider ${href} responds. It must know the redirect URI ${siteUrl}/auth/v1/callback.`;
}

/** Says which operators have no passkey. That is a problem if they need one. */
async function checkPasskeys(settings: Settings, backend: Backend, isRunning: boolean): Promise<string> {
  const { supabase, operatorsNeedPasskey } = settings;
  if (supabase === undefined && relyingParty(settings) === undefined) {
    return settings.passwordSignIn
      ? "Passkeys are disabled, because the host of SITE_URL is an IP address."
      : "Passkeys are disabled by PASSWORD_SIGN_IN=off.";
  }
  if (supabase ? supabase.secretKey === undefined : !isRunning) {
    return supabase
      ? "Set SUPABASE_SECRET_KEY to check operators' passkeys."
      : "Operators' passkeys are checked while the site is running.";
  }
  const without = await operatorsWithoutPasskey(createAdminClient(await backend.adminAccess()));
  if (without.length === 0) return "No operator is without a passkey.";
  const text = `These operators have no passkey: ${without.join(", ")}.`;
  if (!operatorsNeedPasskey) return text;
  throw new OperatorError(`${text} With OPERATORS_NEED_PASSKEY=on, each must add one on /profile.`);
}

/** Checks whether the site can start, or works, and says so in a sentence for each topic. Never throws. */
export async function runChecks(
  settings: Settings,
  backend: Backend,
  isRunning: boolean,
  log: Log,
): Promise<Finding[]> {
  const check = async (topic: string, work: () => Promise<string>) => [await findingOf(topic, work)];
  const findings = await Promise.all([
    check("settings", checkNames),
    check("port", () => checkPort(settings, backend, isRunning)),
    checkData(backend, isRunning, log),
    check("proxy", () => checkProxy(settings)),
    check("mail", () => checkMailServer(settings)),
    check("sign-on", () => checkSingleSignOn(settings)),
    check("passkeys", () => checkPasskeys(settings, backend, isRunning)),
  ]);
  return findings.flat();
}

async function checkData(backend: Backend, isRunning: boolean, log: Log): Promise<Finding[]> {
  let findings: Finding[] = [];
  const problem = await findingOf("data", async () => {
    findings = await backend.check(isRunning, log);
    return "";
  });
  return problem.isProblem ? [problem] : findings;
}
