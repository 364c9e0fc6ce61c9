import { origin, type Settings } from "../../config/settings.ts";
import { listen } from "../../http/listen.ts";
import { type Finding, ok, problem } from "./finding.ts";

const patience = 3_000;

/** Who answers at an address: the site, the site on its way up, somebody else, nobody, or somebody who is silent. */
export type Answer = "site" | "starting" | "stranger" | "nobody" | "silence";

/** Takes an origin, returns who answers there. */
export async function whoAnswers(url: string): Promise<Answer> {
  try {
    const response = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(patience),
      redirect: "manual",
    });
    const text = await response.text();
    if (response.status === 200 && text === "ok\n") return "site";
    return text === "Techfolio is starting\n" ? "starting" : "stranger";
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return "silence";
    return codeOf(error) === "ECONNREFUSED" ? "nobody" : "stranger";
  }
}

/** Takes the settings and who answers at their port, returns what that means for a start and for visitors. */
export async function checkPort({ host, port }: Settings, answer: Answer): Promise<Finding> {
  const url = origin(host, port);
  switch (answer) {
    case "site":
      return checkReadiness(url);
    case "starting":
      return ok("port", `The site is starting at ${url}.`);
    case "stranger":
      return problem("port", `Something else answers at ${url}: stop it, or set another PORT.`);
    case "silence":
      return problem(
        "port",
        `Something listens at ${url} and does not answer within ${patience / 1_000} seconds: look at its log, and restart it.`,
      );
    case "nobody": {
      // As the start does it, so that what keeps it from listening is named in the same words.
      const listener = await listen(host, port);
      await listener.close();
      return ok("port", `PORT ${port} on ${host} is free; the site is not running.`);
    }
  }
}

async function checkReadiness(url: string): Promise<Finding> {
  const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * patience) });
  return status === 200
    ? ok("port", `The site answers at ${url}, and so does its database.`)
    : problem("port", `The site answers at ${url} and its database does not: the log of the site says why.`);
}

/** Takes the settings while the site runs, returns whether the address that people use leads to it. */
export async function checkSiteUrl({ siteUrl, host, port }: Settings): Promise<Finding> {
  if (siteUrl === origin(host, port)) return ok("address", "SITE_URL is where the site listens.");
  try {
    const response = await fetch(`${siteUrl}/healthz`, { signal: AbortSignal.timeout(patience) });
    if (response.status === 200 && (await response.text()) === "ok\n")
      return ok("address", `${siteUrl} leads to the site.`);
    return problem("address", `${siteUrl} is answered by something else: look at the proxy and at SITE_URL.`);
  } catch (error) {
    return problem(
      "address",
      `${siteUrl} does not lead to the site (${codeOf(error)}): look at DNS, the certificate, the firewall and the proxy.`,
    );
  }
}

/** Node hides why a fetch failed in the error's cause, and with several addresses in the errors of each. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return codeOf(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
