import { domainToASCII } from "node:url";
import type { InvitationLink } from "../../common/data/invitation-links.ts";
import { MAX_LINK_DAYS, MAX_LINK_PEOPLE } from "../../common/data/invitation-links.ts";
import type { ActionResult, NewInvitationLink } from "../../common/data/operators.ts";
import { withoutInvisible } from "../../common/data/pasted-text.ts";
import { digest, randomToken } from "../auth/opaque-tokens.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminClient } from "./admin-client.ts";
import type { AdminContext } from "./admin-context.ts";

export interface NewLink {
  people: number;
  days: number;
  /** Email domains as an operator types them, separated by commas. */
  domains: string;
}

const MAX_DOMAINS = 50;

/** Creates a link and returns its address, which can't be read again. Throws OperatorError. */
export async function createLink(
  { site, settings, record }: AdminContext,
  { people, days, domains: typed }: NewLink,
): Promise<NewInvitationLink> {
  requireWhole("The number of people", people, MAX_LINK_PEOPLE);
  requireWhole("The number of days", days, MAX_LINK_DAYS);
  const domains = readDomains(withoutInvisible(typed));
  const code = randomToken();
  const [created] = (await call(site, "create_invitation_link", {
    code_digest: digest(code),
    people,
    days,
    domains,
  })) as [InvitationLink];
  await record({ action: "invitation_link.created", ...logged(created) });
  return {
    id: created.id,
    text: `${peopleText(people)} can join with this link in the next ${days === 1 ? "day" : `${days} days`}. It is shown only once.`,
    link: `${settings.siteUrl}/join/${code}`,
  };
}

/** Returns the links that are neither closed nor expired, newest first. */
export function listLinks(site: AdminClient): Promise<InvitationLink[]> {
  return call(site, "list_invitation_links", {});
}

/** Throws OperatorError if the link isn't open. */
export async function closeLink({ site, record }: AdminContext, id: string): Promise<ActionResult> {
  const [closed] = await call(site, "close_invitation_link", { link_id: id });
  if (closed === undefined) throw new OperatorError("There is no open invitation link with this ID.");
  await record({ action: "invitation_link.closed", ...logged(closed) });
  return { text: "Nobody can join with this link any more." };
}

async function call(site: AdminClient, name: string, sent: object): Promise<InvitationLink[]> {
  return (await site.data.rpc(name, sent).throwOnError()).data;
}

const peopleText = (people: number) => (people === 1 ? "One person" : `${people} people`);

function logged({ id, people, domains, expires_at }: InvitationLink) {
  return {
    target: {
      type: "invitation_link",
      id,
      name: `Link for ${people === 1 ? "one person" : `${people} people`}`,
    },
    details: { expires: expires_at, ...(domains.length > 0 && { domains: domains.join(", ") }) },
  };
}

function requireWhole(what: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new OperatorError(`${what} must be a whole number from 1 to ${max}.`);
}

/** Returns the domains in lower case and in ASCII (`xn--…`), like those of normalized email addresses. */
function readDomains(typed: string): string[] {
  const parts = typed.split(/[,;\s]+/).filter((part) => part !== "");
  const domains = parts.map((part) => {
    const domain = domainToASCII(part.replace(/^@/, "")).toLowerCase();
    if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) && domain.length <= 253) return domain;
    throw new OperatorError(`"${part}" is not an email domain such as example.com.`);
  });
  if (domains.length > MAX_DOMAINS)
    throw new OperatorError(`A link can have at most ${MAX_DOMAINS} domains.`);
  return [...new Set(domains)];
}
