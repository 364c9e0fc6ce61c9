import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createDoor } from "./admission.ts";
import { createLog } from "./log.ts";

interface World {
  crowded?: boolean;
  short?: boolean;
  tooMuch?: boolean;
}

class Answer extends EventEmitter {
  status = 0;
  headers: Record<string, unknown> = {};
  body = "";
  writeHead(status: number, headers: Record<string, unknown>) {
    Object.assign(this, { status, headers });
  }
  end(body: string) {
    this.body = body;
  }
}

function open({ crowded = false, short = false, tooMuch = false }: World = {}) {
  const lines: string[] = [];
  const door = createDoor({
    pages: { isTooMuch: () => tooMuch },
    backend: { isCrowded: () => crowded, isDiskFull: () => short },
    headers: {},
    log: createLog((line) => lines.push(line)),
    onRefused: () => undefined,
  });
  const ask = (method: string, url: string, headers: Record<string, string> = {}) => {
    const answer = new Answer();
    const refused = door(
      { method, url, headers } as unknown as IncomingMessage,
      answer as unknown as ServerResponse,
    );
    return { answer, refused };
  };
  return { ask, lines };
}

describe("the door", () => {
  test.each([
    ["GET", "/rest/v1/articles"],
    ["POST", "/auth/v1/token?grant_type=password"],
  ])("turns %s %s away while too many wait for the database", (method, url) => {
    const { answer, refused } = open({ crowded: true }).ask(method, url);
    expect(refused).toBe(true);
    expect(answer).toMatchObject({ status: 503, headers: { "Retry-After": 1, "Cache-Control": "no-store" } });
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "503",
      message: expect.any(String),
      msg: expect.any(String),
    });
  });

  test.each(["/", "/assets/x.js", "/healthz"])("lets %s pass while the database is crowded", (url) => {
    expect(open({ crowded: true }).ask("GET", url).refused).toBe(false);
  });

  test("turns a page away that would be one too many", () => {
    expect(open({ tooMuch: true }).ask("GET", "/articles?q=new").answer.status).toBe(503);
  });

  test("takes no writes while the disk is almost full, and reads go on", () => {
    const { ask } = open({ short: true });
    for (const method of ["POST", "PATCH", "DELETE"])
      expect(ask(method, "/rest/v1/articles").answer.status).toBe(507);
    expect(ask("GET", "/rest/v1/articles").refused).toBe(false);
    // auth-js would end the session on a 507.
    expect(ask("POST", "/auth/v1/token?grant_type=refresh_token").answer.status).toBe(503);
    expect(ask("GET", "/auth/v1/user").refused).toBe(false);
  });

  test("holds no more large bodies than fit into its memory, and any number of small ones", () => {
    const { ask } = open();
    const large = { "content-length": String(1024 * 1024) };
    const taken = Array.from({ length: 32 }, () => ask("POST", "/rest/v1/articles", large));
    expect(taken.filter(({ refused }) => refused)).toEqual([]);
    expect(ask("POST", "/rest/v1/articles", large).answer.status).toBe(429);
    expect(ask("POST", "/rest/v1/articles", { "transfer-encoding": "chunked" }).answer.status).toBe(429);
    expect(ask("POST", "/rest/v1/articles", { "content-length": "5000" }).refused).toBe(false);
    taken[0]?.answer.emit("close");
    expect(ask("POST", "/rest/v1/articles", large).refused).toBe(false);
  });

  test("logs a flood of refusals in one line", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { ask, lines } = open({ crowded: true });
    for (let at = 0; at < 1000; at++) ask("GET", "/rest/v1/articles");
    vi.advanceTimersByTime(1_000);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: "requests refused", "Too many requests at this moment": 1000 }),
    ]);
  });
});
