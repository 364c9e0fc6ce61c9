const KB = 1024;
const MB = 1024 * KB;
const SECOND_MS = 1_000;

export interface ConcurrencyLimit {
  total: number;
  /** Less than half of `total`, so that two clients can't use it up. */
  perClient: number;
  /** The maximum length of each client's queue, and of the shared queue that follows it. */
  queue: number;
  maxWaitMs: number;
}

const SHORT_WAIT = { queue: 64, maxWaitMs: 2 * SECOND_MS };
/** Scripts send hundreds of short reads at once. */
const SCRIPT_WAIT = { ...SHORT_WAIT, queue: 256 };

/**
 * The server's limits, except those that are settings (server/config/variables.ts) and those that the browser needs too
 * (common/data/limits.ts, common/page-services.ts, common/pictures/picture-path.ts). SECURITY.md lists them, and
 * documented-limits.test.ts compares the two. Sizes are in bytes.
 */
export const LIMITS = {
  /** How many requests run at the same time. Those that wait longer than `maxWaitMs` get 429 or 503. */
  concurrency: {
    pages: { total: 12, perClient: 2, ...SHORT_WAIT },
    /** Pages with a search that may read the texts of all items. They don't use the slots for other pages. */
    slowSearches: { total: 3, perClient: 1, ...SHORT_WAIT },
    cards: { total: 3, perClient: 1, queue: 32, maxWaitMs: 2 * SECOND_MS },
    // Together, the first two leave three of the database's connections for pages and pictures.
    visitorData: { total: 4, perClient: 1, ...SCRIPT_WAIT },
    memberData: { total: 5, perClient: 2, ...SCRIPT_WAIT },
    /** Any member can send a token to `/admin/v1`, and the check of their role uses the connections for sign-ins. */
    operators: { total: 5, perClient: 2, ...SCRIPT_WAIT },
    pictures: { total: 32, perClient: 4, queue: 128, maxWaitMs: 2 * SECOND_MS },
    uploads: { total: 3, perClient: 1, ...SHORT_WAIT },
    // A request waits longer than others, because a class of 40 people can sign in at the same moment from one address.
    passwords: { total: 12, perClient: 2, queue: 64, maxWaitMs: 20 * SECOND_MS },
    accounts: { total: 12, perClient: 2, ...SHORT_WAIT },
    passkeys: { total: 12, perClient: 2, ...SHORT_WAIT },
    // These requests wait for the provider, so a slow provider must not use up the slots of the others.
    singleSignOn: { total: 24, perClient: 8, queue: 128, maxWaitMs: 10 * SECOND_MS },
  },
  /** Of invitation links. The function request_invitation (supabase/schemas) contains the first three. */
  joins: {
    emailsPerPlace: 3,
    emailsPerAddressAndDay: 3,
    emailsPerClientAndHour: 10,
    emailHours: 24,
    bodyBytes: 4 * KB,
  },
  reports: {
    /** How many reports one client may send. */
    perHour: 5,
    /** How many reports about one item or person are open at the same time. More are dropped. */
    open: 20,
    /** The size of the form. A character of the reason takes up to 12 bytes. */
    bodyBytes: 32 * KB,
  },
  passkeys: {
    perMember: 10,
    nameCharacters: 120,
    challengeMinutes: 5,
    /** How many challenges a network address gets for each failed sign-in that it may have, and in the same period. */
    challengesPerFailure: 10,
    /** How often a member may start to add a passkey. */
    additions: { count: 60, minutes: 60 },
    /** An RSA key of 4,096 bits has fewer than 600 bytes. Larger keys would make each sign-in slow. */
    publicKeyBytes: 1_024,
  },
  /** How many passwords are hashed at once. bcrypt runs in libuv's four threads, and one of them must read files. */
  passwordHashes: 3,
  /** After a request of at least `ms`, which may have used a whole statement timeout, its client queues after others. */
  slowRequest: { ms: 2 * SECOND_MS, penaltyMs: 10 * SECOND_MS },
  bodies: {
    /** The largest body of one request. */
    visitorData: 16 * KB,
    memberData: 2 * MB,
    accounts: 64 * KB,
    storageLists: 256 * KB,
    /** The size of a form around its picture. */
    uploadForm: 64 * KB,
    /**
     * One member's data to be stored, over time. Rejected and deleted rows take space until PostgreSQL's vacuum, and don't
     * count toward the member's other limits.
     */
    stored: { bytes: 400 * MB, bytesPerSecond: 1 * MB },
    /** The bytes of all bodies that are arriving or being processed. Each body counts at least `atLeast`. */
    visitors: { total: 16 * MB, perClient: 1 * MB },
    members: { total: 48 * MB, perClient: 11 * MB },
    atLeast: 4 * KB,
    /** A body of n bytes must arrive within `graceMs` plus n / `bytesPerSecond`. */
    graceMs: 10 * SECOND_MS,
    bytesPerSecond: 50_000,
    /** How much of a refused body is read and dropped before the response. Dropping ends if nothing arrives for `idleMs`. */
    dropped: { bytes: 16 * MB, maxMs: 5 * SECOND_MS, idleMs: 250 },
  },
  /** Bytes of complete responses that clients are still reading. These responses have no slot. */
  responses: {
    visitors: { total: 64 * MB, perClient: 16 * MB },
    members: { total: 64 * MB, perClient: 24 * MB },
    /** For each limit on requests outside of `/rest/v1`. */
    others: { total: 16 * MB, perClient: 1 * MB },
  },
  /** Of requests to `/rest/v1`. postgrest-js regards a URL of more than 8,000 characters as too long. */
  // Inserting more rows takes longer than a statement may.
  data: { urlCharacters: 8_192, filters: 20, rows: 5_000, responseBytes: 8 * MB },
  /** Limits of a body's JSON: levels, values (each list, object and scalar), and different names in its rows. */
  jsonLevels: 64,
  jsonValues: 200_000,
  /** PostgreSQL's limit on the columns of a table. */
  jsonFields: 1_600,
  /** When a browser decodes a picture of this size, it takes 100 MB of memory. */
  picturePixels: 25_000_000,
  /** How long the site waits for the provider of single sign-on. A page waits for a refresh, and so for its check. */
  provider: {
    discoverySeconds: 5,
    signInSeconds: 10,
    checkSeconds: 4,
    responseBytes: 1 * MB,
    /** After a failed check, refreshes don't wait for the provider again for this time. */
    pauseMs: 60 * SECOND_MS,
  },
  /** The lowest rate at which a client may read a response over a period. The server cuts off slower ones. */
  responseRate: { bytesPerSecond: 8 * KB, periodMs: 60 * SECOND_MS },
  database: { connections: 12, signInConnections: 3, visitorStatementMs: 2_000, memberStatementMs: 5_000 },
  /** The free space that requests need: to add data, or to write anything. */
  freeDiskSpace: { toGrow: 64 * MB, toWrite: 32 * MB },
} as const satisfies { concurrency: Record<string, ConcurrencyLimit> } & Record<string, unknown>;
