import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPreviewer, type PreviewWorker } from "./previewer.ts";

interface FakeWorker extends PreviewWorker {
  asked: string[];
  isEnded: boolean;
  answer(html: string | null): void;
}

let workers: FakeWorker[];
let shown: [string, string | null][];

function startWorker(): FakeWorker {
  const worker: FakeWorker = {
    asked: [],
    isEnded: false,
    onmessage: null,
    onerror: null,
    postMessage: (text: string) => void worker.asked.push(text),
    terminate: () => {
      worker.isEnded = true;
    },
    answer: (html) => worker.onmessage?.call(worker as unknown as Worker, { data: html } as MessageEvent),
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

test("renders one text at a time, and of those that wait only the newest", () => {
  const { show } = previewer();
  for (const text of ["a", "ab", "abc"]) show(text);
  expect(workers[0]?.asked).toEqual(["a"]);
  workers[0]?.answer("<p>a</p>");
  expect(workers[0]?.asked).toEqual(["a", "abc"]);
  workers[0]?.answer("<p>abc</p>");
  expect(shown).toEqual([
    ["a", "<p>a</p>"],
    ["abc", "<p>abc</p>"],
  ]);
  expect(workers).toHaveLength(1);
});

test("gives a text up that takes too long, and goes on with a new worker", () => {
  const { show } = previewer();
  show("warm");
  workers[0]?.answer("<p>warm</p>");
  show("slow");
  show("next");
  vi.advanceTimersByTime(1_000);
  expect(workers[0]?.isEnded).toBe(true);
  expect(shown.at(-1)).toEqual(["slow", null]);
  expect(workers[1]?.asked).toEqual(["next"]);
  workers[1]?.answer("<p>next</p>");
  expect(shown.at(-1)).toEqual(["next", "<p>next</p>"]);
});

test("gives a fresh worker the time to load", () => {
  const { show } = previewer();
  show("first");
  vi.advanceTimersByTime(5_000);
  expect(workers[0]?.isEnded).toBe(false);
  workers[0]?.answer("<p>first</p>");
  expect(shown).toEqual([["first", "<p>first</p>"]]);
});

test("shows plain text where no worker starts", () => {
  const { show } = previewer();
  show("text");
  (workers[0]?.onerror as (() => void) | undefined)?.();
  expect(shown).toEqual([["text", null]]);
});

test("ends with the page, whatever is under way", () => {
  const { show, close } = previewer();
  show("text");
  close();
  expect(workers[0]?.isEnded).toBe(true);
  workers[0]?.answer("<p>text</p>");
  vi.runAllTimers();
  expect(shown).toEqual([]);
});
