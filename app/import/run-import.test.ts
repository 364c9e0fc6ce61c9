import { v5 } from "uuid";
import { afterEach, expect, test, vi } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { PictureError } from "../../common/pictures/picture-error.ts";
import { ADA, siteOf } from "../../tests/support/imports.ts";
import type { PlanLine, Write } from "./plan.ts";
import { runImport } from "./run-import.ts";
import type { ImportSite } from "./site.ts";

const ID = "0b9c2a54-1111-4111-8111-111111111111";

const store = () => Promise.reject(new PictureError("The picture is too large.", true));

/** Runs an import of one line on a site that answers each write with the next status (0: no answer), then with 201. */
async function runLine(writes: Write[], statuses: number[]) {
  const sent: { method: string; body: unknown }[] = [];
  const data = createDataClient({ url: "http://backend.test", key: "key" }, async (_, init) => {
    sent.push({ method: init?.method ?? "GET", body: init?.body && JSON.parse(String(init.body)) });
    const status = statuses.shift() ?? 201;
    if (status === 0) throw new TypeError("Failed to fetch");
    return status < 300
      ? new Response(null, { status })
      : Response.json({ code: "23514", message: "violates a rule" }, { status });
  });
  const line: PlanLine = {
    key: "k",
    group: "Replace",
    title: "Skills (1)",
    createdAt: null,
    details: [],
    isInitiallyTicked: true,
    writes,
  };
  const { signal } = new AbortController();
  vi.useFakeTimers();
  const running = runImport(siteOf(data, { store }), { lines: [line], signal, onStored: () => undefined });
  await vi.runAllTimersAsync();
  return { sent, outcome: await running };
}

afterEach(() => void vi.useRealTimers());

test.each([0, 429, 503])(
  "a write that fails with status %i is repeated unchanged up to three times, and then the import stops",
  async (status) => {
    const write: Write = { table: "skills", row: { id: ID, name: "SQL" } };
    const attempt = { method: "POST", body: write.row };
    expect(await runLine([write], Array(3).fill(status))).toEqual({
      sent: Array(4).fill(attempt),
      outcome: { imported: 1, failed: [], stopped: null },
    });
    expect(await runLine([write], Array(4).fill(status))).toEqual({
      sent: Array(4).fill(attempt),
      outcome: { imported: 0, failed: [], stopped: "The server is not responding." },
    });
  },
);

const FAILED = {
  imported: 0,
  failed: [{ source: "Skills (1)", reason: "could not be stored: violates a rule" }],
  stopped: null,
};

test("if the first write of a line is rejected, its other writes are not sent, and the line is reported", async () => {
  const { sent, outcome } = await runLine(
    [
      { table: "skills", row: { id: ID, name: "SQL" } },
      { table: "skills", obsoleteId: "old" },
    ],
    [400],
  );
  expect(sent.map(({ method }) => method)).toEqual(["POST"]);
  expect(outcome).toEqual(FAILED);
});

test("if a picture is rejected, the article that shows it is not written", async () => {
  const { sent, outcome } = await runLine(
    [
      { picturePath: "x", blob: new Blob() },
      { table: "articles", row: { id: ID } },
    ],
    [],
  );
  expect(sent).toEqual([]);
  expect(outcome.failed).toEqual([
    { source: "Skills (1)", reason: "could not be stored: The picture is too large." },
  ]);
});

const CREATED = { id: ID, title: "A", created_at: "2020-01-01T00:00:00Z" };

test("a new item is stored under a derived id if another member's versions have its id", async () => {
  const { sent, outcome } = await runLine([{ table: "articles", row: CREATED }], [409]);
  expect(sent.map(({ body }) => body)).toEqual([CREATED, { ...CREATED, id: v5(ID, ADA) }]);
  expect(outcome).toEqual({ imported: 1, failed: [], stopped: null });
});

test("an updated item with a conflict, or a new one whose derived ids all conflict, is reported", async () => {
  const updated = await runLine([{ table: "articles", row: { id: ID } }], [409]);
  expect(updated.sent).toHaveLength(1);
  expect(updated.outcome).toEqual(FAILED);
  const always = await runLine([{ table: "articles", row: CREATED }], Array(30).fill(409));
  expect(new Set(always.sent.map(({ body }) => Reflect.get(Object(body), "id"))).size).toBe(21);
  expect(always.outcome).toEqual(FAILED);
});

test("all writes of a line are sent in order, and a deletion names its row", async () => {
  const requests: string[] = [];
  const data = createDataClient({ url: "http://backend.test", key: "key" }, async (url, init) => {
    requests.push(`${init?.method} ${new URL(String(url)).pathname}${new URL(String(url)).search}`);
    return new Response(null, { status: 201 });
  });
  const outcome = await runLines(siteOf(data), [
    [
      { table: "skills", row: { id: ID, name: "SQL" } },
      { table: "skills", obsoleteId: "old" },
    ],
    [],
  ]);
  expect(requests).toEqual([
    expect.stringMatching(/^POST \/rest\/v1\/skills/),
    "DELETE /rest/v1/skills?id=eq.old",
  ]);
  expect(outcome).toEqual({
    result: { imported: 2, failed: [], stopped: null },
    stored: [1, 2],
  });
});

/** Runs an import with one line for each list of writes. */
async function runLines(site: ImportSite, lines: Write[][], controller = new AbortController()) {
  const stored: number[] = [];
  const running = runImport(site, {
    lines: lines.map((writes, index) => ({
      key: `k${index}`,
      group: "Create",
      title: `Line ${index + 1}`,
      createdAt: null,
      details: [],
      isInitiallyTicked: true,
      writes,
    })),
    signal: controller.signal,
    onStored: (count) => void stored.push(count),
  });
  return { result: await running, stored };
}

const ROW: Write = { table: "skills", row: { id: ID, name: "SQL" } };
const siteAnswering = (statuses: number[], onRequest: () => void = () => undefined) =>
  siteOf(
    createDataClient({ url: "http://backend.test", key: "key" }, async () => {
      onRequest();
      const status = statuses.shift() ?? 201;
      return status < 300
        ? new Response(null, { status })
        : Response.json({ code: "23514", message: "violates a rule" }, { status });
    }),
  );

test("a line that fails is reported, counts as processed, and the next line is imported", async () => {
  expect(await runLines(siteAnswering([400, 201]), [[ROW], [ROW]])).toEqual({
    result: {
      imported: 1,
      failed: [{ source: "Line 1", reason: "could not be stored: violates a rule" }],
      stopped: null,
    },
    stored: [1, 2],
  });
});

test("an import stops when the member's session has ended", async () => {
  expect(await runLines(siteAnswering([201, 401]), [[ROW], [ROW], [ROW]])).toEqual({
    result: { imported: 1, failed: [], stopped: "You are no longer signed in." },
    stored: [1],
  });
});

test("a stopped import sends nothing more", async () => {
  const controller = new AbortController();
  let requests = 0;
  const site = siteAnswering([], () => {
    requests += 1;
    controller.abort();
  });
  expect(await runLines(site, [[ROW], [ROW]], controller)).toEqual({
    result: { imported: 1, failed: [], stopped: "The import was stopped." },
    stored: [1],
  });
  expect(requests).toBe(1);
});

test("an import that is stopped while it waits for a busy server neither waits nor repeats the write", async () => {
  const controller = new AbortController();
  let requests = 0;
  const site = siteAnswering([503, 503], () => {
    requests += 1;
    setTimeout(() => controller.abort());
  });
  expect((await runLines(site, [[ROW]], controller)).result.stopped).toBe("The import was stopped.");
  expect(requests).toBe(1);
});

test.each([
  [new PictureError("The picture cannot be uploaded."), 4],
  [new TypeError("Failed to fetch"), 4],
  [Object.assign(new Error("Odd"), { isRejected: true }), 4],
  [new PictureError("The picture is too large.", true), 1],
])("after %s, an upload is tried %d times", async (error, tries) => {
  vi.useFakeTimers();
  const store = vi.fn(() => Promise.reject(error));
  const data = createDataClient({ url: "http://backend.test", key: "key" }, () => Promise.reject(error));
  const running = runLines(siteOf(data, { store }), [[{ picturePath: "x", blob: new Blob() }]]);
  await vi.runAllTimersAsync();
  const { result } = await running;
  expect(store).toHaveBeenCalledTimes(tries);
  expect(result.stopped).toBe(tries === 1 ? null : "The server is not responding.");
});
