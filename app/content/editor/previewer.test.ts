import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPreviewer, type PreviewWorker } from "./previewer.ts";

interface FakeWorker extends PreviewWorker {
  received: string[];
  isTerminated: boolean;
  respond(html: string | null): void;
}

let workers: FakeWorker[];
let shown: [string, string | null][];

function startWorker(): FakeWorker {
  const worker: FakeWorker = {
    received: [],
    isTerminated: false,
    onmessage: null,
    onerror: null,
    postMessage: (text: string) => void worker.received.push(text),
    terminate: () => {
      worker.isTerminated = true;
    },
    respond: (html) => worker.onmessage?.call(worker as unknown as Worker, { data: html } as MessageEvent),
  };
  workers.push(worker);
  return worker;
}

const previewer = () => createPreviewer(startWorker, (text, html) => shown.push([text, html]));

beforeEach(() => {
  workers = [];
  shown = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("the previewer renders one text at a time, and skips all but the newest waiting text", () => {
  const { show } = previewer();
  for (const text of ["a", "ab", "abc"]) show(text);
  expect(workers[0]?.received).toEqual(["a"]);
  workers[0]?.respond("<p>a</p>");
  expect(workers[0]?.received).toEqual(["a", "abc"]);
  workers[0]?.respond("<p>abc</p>");
  expect(shown).toEqual([
    ["a", "<p>a</p>"],
    ["abc", "<p>abc</p>"],
  ]);
  expect(workers).toHaveLength(1);
});

test("the previewer gives up on a slow text and continues with a new worker", () => {
  const { show } = previewer();
  show("warm");
  workers[0]?.respond("<p>warm</p>");
  show("slow");
  show("next");
  vi.advanceTimersByTime(1_000);
  expect(workers[0]?.isTerminated).toBe(true);
  expect(shown.at(-1)).toEqual(["slow", null]);
  expect(workers[1]?.received).toEqual(["next"]);
  workers[1]?.respond("<p>next</p>");
  expect(shown.at(-1)).toEqual(["next", "<p>next</p>"]);
});

test("the previewer gives a new worker more time for its first text", () => {
  const { show } = previewer();
  show("first");
  vi.advanceTimersByTime(5_000);
  expect(workers[0]?.isTerminated).toBe(false);
  workers[0]?.respond("<p>first</p>");
  expect(shown).toEqual([["first", "<p>first</p>"]]);
});

test("the previewer reports null instead of HTML if its worker fails", () => {
  const { show } = previewer();
  show("text");
  (workers[0]?.onerror as (() => void) | undefined)?.();
  expect(shown).toEqual([["text", null]]);
});

test("closing the previewer during a render terminates its worker and reports no preview", () => {
  const { show, close } = previewer();
  show("text");
  close();
  expect(workers[0]?.isTerminated).toBe(true);
  workers[0]?.respond("<p>text</p>");
  vi.runAllTimers();
  expect(shown).toEqual([]);
});
