/** An invitation link as `private.describe_link` describes it. */
export interface InvitationLink {
  id: string;
  /** How many people can join with it, and how many have. */
  people: number;
  used: number;
  /** Only addresses at these domains can join. Empty for addresses at any domain. */
  domains: string[];
  created_at: string;
  expires_at: string;
}

/** The limits of a link (contract, "Invitation links"). */
export const MAX_LINK_PEOPLE = 500;
export const MAX_LINK_DAYS = 90;

/** The state of an invitation link's page. */
export type JoinState = { siteName: string } & (
  | /** `domains` is empty if the link allows every address. */ { is: "open"; domains: string[] }
  | { is: "invalid" }
  | { is: "sent"; email: string }
  /** The email field's value was rejected. */
  | { is: "rejected"; email: string; problem: string }
);
