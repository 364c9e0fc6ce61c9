import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MAX_CHARACTERS } from "../../common/data/limits.ts";
import { MAX_REASON_CHARACTERS } from "../../common/data/report-rules.ts";
import { MAX_PAGE_BYTES } from "../../common/page-services.ts";
import { MAX_PICTURE_BYTES } from "../../common/pictures/picture-path.ts";
import { LIMITS } from "./limits.ts";

const document = readFileSync(path.join(import.meta.dirname, "../../SECURITY.md"), "utf8");
const rows = new Map(
  Array.from(document.matchAll(/^\| (.+?) \| (.+?) \| .+ \|$/gm), ([, what = "", limit = ""]) => [
    what,
    limit,
  ]),
);

const {
  bodies,
  concurrency,
  data,
  database,
  freeDiskSpace,
  joins,
  jsonFields,
  jsonLevels,
  jsonValues,
  passkeys,
  passwordHashes,
  picturePixels,
  provider,
  reports,
  responseRate,
  responses,
  slowRequest,
} = LIMITS;
const KB = 1024;
const MB = 1024 * KB;
const shares = ({ total, perClient }: { total: number; perClient: number }, client = "client") =>
  `${total}, ${perClient} per ${client}`;
const sizes = ({ total, perClient }: { total: number; perClient: number }, client = "client") =>
  `${total / MB} MiB, ${perClient / MB} MiB per ${client}`;

test.each([
  [
    "body of a request to `/rest/v1`",
    `visitors ${bodies.visitorData / KB} KiB, members ${bodies.memberData / MB} MiB; ${data.rows.toLocaleString("en")} rows with ${jsonFields.toLocaleString("en")} different fields, ${jsonValues.toLocaleString("en")} values, JSON nested ${jsonLevels} levels deep`,
  ],
  ["response of `/rest/v1`", `${data.responseBytes / MB} MiB`],
  [
    "URL of a request to `/rest/v1`",
    `${data.urlCharacters.toLocaleString("en")} characters, ${data.filters} filters`,
  ],
  [
    "a picture; one member's pictures together",
    `${MAX_PICTURE_BYTES / MB} MB, ${picturePixels / 1_000_000} million pixels; \`PICTURES_PER_MEMBER\` (200 MB)`,
  ],
  ["body of a request to `/auth/v1`", `${bodies.accounts / KB} KiB, JSON nested ${jsonLevels} levels deep`],
  [
    "body of a report; its reason",
    `${reports.bodyBytes / KB} KiB; ${MAX_REASON_CHARACTERS.toLocaleString("en")} characters`,
  ],
  ["reports from one client", `${reports.perHour} an hour`],
  ["open reports about one item or person", `${reports.open}`],
  ["body of a request to `/admin/v1`", `${bodies.accounts / KB} KiB, JSON nested ${jsonLevels} levels deep`],
  [
    "bodies in memory at the same time",
    `visitors ${sizes(bodies.visitors)}; members ${sizes(bodies.members, "member")}`,
  ],
  [
    "a refused body, which is read and dropped so that the client sees the response",
    `${bodies.dropped.bytes / MB} MB, ${bodies.dropped.maxMs / 1_000} s`,
  ],
  [
    "time for a body to arrive",
    `${bodies.graceMs / 1_000} s, and 1 s more for each ${bodies.bytesPerSecond.toLocaleString("en")} bytes`,
  ],
  [
    "the rate at which a client reads a response",
    `${responseRate.bytesPerSecond / KB} KiB per second over a minute`,
  ],
  [
    "a database statement, or a pause in a transaction",
    `visitors ${database.visitorStatementMs / 1_000} s, members ${database.memberStatementMs / 1_000} s`,
  ],
  [
    "one process's connections to the database",
    `${database.connections}, and ${database.signInConnections} more for \`/auth/v1\``,
  ],
  ["pages, feeds and other formats rendered at the same time", shares(concurrency.pages)],
  [
    "lists rendered at the same time for a search text without three letters or digits in a row",
    shares(concurrency.slowSearches),
  ],
  ["a page, before compression", `${MAX_PAGE_BYTES / MB} MiB`],
  ["a text in a list's card", `${MAX_CHARACTERS.card.toLocaleString("en")} characters`],
  [
    "requests to `/rest/v1` at the same time",
    `visitors ${shares(concurrency.visitorData)}; members ${shares(concurrency.memberData, "member")}; of each client, ${concurrency.visitorData.queue} more wait up to ${concurrency.visitorData.maxWaitMs / 1_000} s`,
  ],
  [
    "what one member sends to be stored",
    `${bodies.stored.bytes / MB} MiB, and ${bodies.stored.bytesPerSecond / MB} MiB more per second`,
  ],
  [
    "complete responses of `/rest/v1` that clients are still reading",
    `visitors ${sizes(responses.visitors)}; members ${sizes(responses.members, "member")}`,
  ],
  [
    "other complete responses that clients are still reading, for each limit on requests",
    sizes(responses.others),
  ],
  ["requests to `/admin/v1` at the same time", shares(concurrency.operators, "member")],
  ["requests for public pictures of more than 256 KiB at the same time", shares(concurrency.pictures)],
  ["other requests to `/storage/v1` at the same time", shares(concurrency.uploads, "member")],
  ["requests for social cards at the same time", shares(concurrency.cards)],
  [
    "requests to `/auth/v1` with a password at the same time",
    `${shares(concurrency.passwords)}, for which others wait up to ${concurrency.passwords.maxWaitMs / 1_000} s`,
  ],
  ["passwords that are hashed at the same time", String(passwordHashes)],
  [
    "sign-ins at a provider (`/auth/v1/authorize` and `/auth/v1/callback`) at the same time",
    shares(concurrency.singleSignOn),
  ],
  [
    "the provider's responses",
    `${provider.responseBytes / MB} MB; ${provider.discoverySeconds} s for discovery, ${provider.signInSeconds} s during a sign-in, ${provider.checkSeconds} s during a refresh`,
  ],
  ["requests about passkeys at the same time", shares(concurrency.passkeys)],
  [
    "passkeys of one member",
    `${passkeys.perMember}; names of ${passkeys.nameCharacters} characters, public keys of ${passkeys.publicKeyBytes / KB} KiB`,
  ],
  [
    "challenges for sign-ins with a passkey, from one network address",
    `${30 * passkeys.challengesPerFailure} in 5 minutes; each expires after ${passkeys.challengeMinutes} minutes`,
  ],
  ["passkeys that one member starts to add", `${passkeys.additions.count} an hour`],
  ["emails of an invitation link", `${joins.emailsPerPlace} for each place`],
  [
    "emails of invitation links to one email address",
    `${joins.emailsPerAddressAndDay} a day; each can be used for ${joins.emailHours} hours`,
  ],
  [
    "emails of invitation links that one network address asks for (IPv6: one /56)",
    `${joins.emailsPerClientAndHour} an hour`,
  ],
  ["body of the form of an invitation link", `${joins.bodyBytes / KB} KiB`],
  ["other requests to `/auth/v1` at the same time", shares(concurrency.accounts)],
  [
    "free space on the disk of the embedded database",
    `at least ${freeDiskSpace.toGrow / MB} MB to add data; ${freeDiskSpace.toWrite / MB} MB to delete, to sign in or out, and for the service key`,
  ],
])("SECURITY.md states the limit on %s", (what, limit) => {
  expect(rows.get(what)).toBe(limit);
});

test("SECURITY.md states when a client queues after the others", () => {
  expect(slowRequest).toEqual({ ms: 2_000, penaltyMs: 10_000 });
  expect(document).toContain(
    "After a request that took two seconds, the client queues after all others for ten seconds.",
  );
});

test("every limit on concurrent requests leaves more than half for other clients", () => {
  for (const { total, perClient } of Object.values(concurrency)) {
    expect(2 * perClient).toBeLessThan(total);
  }
});
