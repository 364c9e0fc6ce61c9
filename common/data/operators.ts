// The responses of `/admin/v1`, which the operators' page uses.

/** A member as `public.list_members` describes them. */
export interface ListedMember {
  id: string;
  email: string;
  username: string | null;
  full_name: string | null;
  featured: boolean;
  created_at: string;
  last_sign_in_at: string | null;
  state: "active" | "invited" | "suspended" | "former";
  suspended_until: string | null;
  is_operator: boolean;
  /** How the member can sign in: `email` for a password, or identity providers. */
  providers: string[];
  /** The number of items in each table. */
  counts: Record<string, number>;
  /** The bytes of the member's rows, earlier versions and pictures. */
  storage: number;
  /** Only on the operators' page: the username if it belongs to the member, otherwise the ID. */
  slug?: string;
}

/** The orders of a list of members. With `-`, the highest value or the newest is last. */
export const MEMBER_SORTS = ["created", "sign-in", "-sign-in", "storage", "-storage"] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

/** An item of any kind, or a picture, as operators' lists show it. */
export interface ListedItem {
  /** A picture's ID is its path in the bucket. */
  id: string;
  title: string;
  type: string;
  created_at: string;
  /** Null if the item's kind has no such state. */
  published: boolean | null;
  author_id: string | null;
  author: string;
  /** Only for pictures. */
  bytes?: number;
}

/** The open reports about an item or a person, as `public.list_reports` describes them. */
export interface ReportedGroup {
  /** The table of the item's kind, or `profiles`. */
  table: string;
  id: string;
  count: number;
  /** When the latest report was sent. */
  latest: string;
  /** The item's title, or the person's name, which can be empty. */
  title: string;
  author: string;
  author_id: string;
  /** Null if the item's kind has no such state, and for a person. */
  published: boolean | null;
  /** Newest first. */
  reports: { id: string; created_at: string; reason: string; email: string | null }[];
}

export interface LoggedAction {
  id: string;
  created_at: string;
  operator_id: string | null;
  operator: string;
  action: string;
  target: string;
  details: Record<string, string | number>;
}

/** How much content a member has: the number of items in each table, and of pictures. */
export interface ContentCount {
  counts: Record<string, number>;
  pictures: number;
  pictureBytes: number;
}

export interface ActionResult {
  text: string;
  /** Set if the action found what it should make, so that Undo would be wrong. */
  isUnchanged?: true;
  /** How to restore what was removed. */
  note?: string;
  /** The removed row, so that the operator can keep a copy. */
  removed?: object;
  /** A link for the operator to pass on, if the site has no mail server. */
  link?: string;
}

/** An invitation link that was just created. Its address can't be read again. */
export interface NewInvitationLink extends ActionResult {
  id: string;
  link: string;
}

/** The values in the region "State" of the operators' page. Sizes are in bytes. Null means unknown. */
export interface SiteState {
  version: string;
  database: { bytes: number; members: number; version: string };
  freeDiskBytes: number | null;
  /** When `npm run backup` last made a backup, as ISO 8601. */
  lastBackup: string | null;
  /** The results of `npm run doctor`. */
  findings: Finding[];
}

/** The result of one of doctor's checks. */
export interface Finding {
  topic: string;
  isProblem: boolean;
  text: string;
}
