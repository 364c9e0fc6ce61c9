import { v5 } from "uuid";
import { afterEach, expect, test, vi } from "vitest";
import { createDataClient } from "../../common/data/client.ts";
import { PictureError } from "../../common/pictures/picture-error.ts";
import { ADA, siteOf } from "../../tests/support/imports.ts";
import type { PlanLine, Write } from "./plan.ts";
import { runImport } from "./run-import.ts";

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
