import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { ReadyAnswers } from "./ready-answers.ts";

const answer = {
  headers: ["Content-Type", "text/html"],
  body: Buffer.from("page"),
  path: "/articles",
  logAnswered: () => 0,
};

function request(headers: Record<string, string> = {}, url = "/articles", method = "GET"): IncomingMessage {
  const all = { Host: "techfolio.test", "Accept-Encoding": "br, gzip", ...headers };
  return { method, url, rawHeaders: Object.entries(all).flat() } as unknown as IncomingMessage;
}

describe("ready answers", () => {
  test("are found by whoever asks the same again, whatever else he sends", () => {
    const ready = new ReadyAnswers();
    ready.keep(request(), answer);
    expect(ready.find(request())).toBe(answer);
    expect(ready.find(request({ "User-Agent": "another", Cookie: "a=b" }))).toBe(answer);
  });

  test.each([
    ["another address", request({}, "/articles?q=a")],
    ["another host", request({ Host: "other.test" })],
    ["another encoding", request({ "Accept-Encoding": "gzip" })],
    ["no encoding", request({ "Accept-Encoding": "" })],
    ["another method", request({}, "/articles", "HEAD")],
    ["a condition", request({ "If-None-Match": 'W/"a"' })],
    ["a condition in small letters", request({ "if-modified-since": "Fri, 20 Nov 2026 12:00:00 GMT" })],
    ["a body", request({ "Content-Length": "1" })],
    ["a body in pieces", request({ "Transfer-Encoding": "chunked" })],
  ])("are not for a request with %s", (_what, other) => {
    const ready = new ReadyAnswers();
    ready.keep(request(), answer);
    expect(ready.find(other)).toBeUndefined();
  });

  test("are not for a request with two hosts", () => {
    const ready = new ReadyAnswers();
    const twice = request();
    twice.rawHeaders.push("Host", "techfolio.test");
    ready.keep(twice, answer);
    ready.keep(request(), answer);
    expect(ready.find(twice)).toBeUndefined();
  });

  test("are gone after a write", () => {
    const ready = new ReadyAnswers();
    ready.keep(request(), answer);
    ready.clear();
    expect(ready.find(request())).toBeUndefined();
  });

  test("do not add up: the oldest gives way", () => {
    const ready = new ReadyAnswers();
    const numbered = (number: number) => request({}, `/articles?q=${number}`);
    for (let number = 0; number <= 200; number++) ready.keep(numbered(number), answer);
    expect(ready.find(numbered(0))).toBeUndefined();
    expect(ready.find(numbered(1))).toBe(answer);
    expect(ready.find(numbered(200))).toBe(answer);
  });
});
