import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RenderJob } from "../../app/site.ts";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { createLog } from "../http/log.ts";
import { createRenderer, type Render } from "./renderer.ts";

const markdown = (text: string): RenderJob => ({ kind: "markdown", text, path: "" });
const code = (text: string, language: string): RenderJob => ({ kind: "code", text, language });

/** Takes quadratic time: every pair of characters may open or close emphasis. */
const PATHOLOGICAL = "*a_ ".repeat(20_000);

const TIMES = { longestRenderMs: 250, longestWaitMs: 1_200 };

let lines: string[];
let render: Render;

beforeAll(() => {
  render = createRenderer(
    createLog((line) => lines.push(line)),
    TIMES,
  );
});
// Each test begins with a worker that has loaded the parsers and is done with the texts of the one before: while it
// starts, texts wait, on a busy machine for longer than a page does.
beforeEach(async () => {
  await rendered(markdown(crypto.randomUUID()));
  lines = [];
});

/** Renders until nothing is left unfinished, however slow the machine is. */
async function renderAll(jobs: RenderJob[]): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const { html, isFinal } = await render(jobs);
      expect(isFinal).toBe(true);
      return html;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function renderedOnce(job: RenderJob): Promise<string> {
  const [html] = (await render([job])).html;
  if (html === undefined) throw new Error("nothing was rendered");
  return html;
}

/** Keeps the event loop from turning. */
function blockLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

async function rendered(job: RenderJob): Promise<string> {
  const [html] = await renderAll([job]);
  if (html === undefined) throw new Error("nothing was rendered");
  return html;
}

describe("a renderer", () => {
  test("turns Markdown and code into HTML, in the order of the jobs", async () => {
    const html = await renderAll([
      markdown("**bold**"),
      code("select 1", "sql"),
      markdown("_it_"),
      code("x", "none"),
    ]);
    expect(html).toEqual([
      '<p dir="auto"><strong>bold</strong></p>',
      expect.stringContaining('<span class="hljs-keyword">select</span>'),
      '<p dir="auto"><em>it</em></p>',
      "x",
    ]);
  });

  test("makes no page wait for many slow texts: they are plain for now, and rendered for the next", async () => {
    const slow = Array.from({ length: 20 }, (_, index) => markdown(`${PATHOLOGICAL}${index}`));
    const first = await render([...slow, markdown("**last**")]);
    expect(first.isFinal).toBe(false);
    expect(first.html.at(-1)).toBe('<p class="plain-text">**last**</p>');
    await expect
      .poll(() => rendered(markdown("**last**")), { timeout: 60_000 })
      .toBe('<p dir="auto"><strong>last</strong></p>');
  }, 90_000);

  test("renders nothing for no jobs", async () => {
    expect(await renderAll([])).toEqual([]);
  });

  test("shows a pathological text as it was typed, and the texts around it rendered", async () => {
    const jobs = [markdown("# before"), markdown(PATHOLOGICAL), markdown("# after")];
    const slow = await renderedOnce(markdown(PATHOLOGICAL));
    await rendered(markdown("# after"));
    const [before, , after] = (await render(jobs)).html;
    expect(before).toBe('<h3 dir="auto" class="depth-1">before</h3>');
    expect(after).toBe('<h3 dir="auto" class="depth-1">after</h3>');
    expect(parseStrictly(slow).text).toBe(PATHOLOGICAL);
    expect(slow).toContain('class="plain-text"');
  });

  test.each([
    ["bullets in bullets", "* ".repeat(2_000)],
    ["quotes in quotes", "> ".repeat(2_000)],
    ["brackets", "[".repeat(20_000)],
    ["images without end", "![".repeat(20_000)],
    ["addresses", "[a](".repeat(20_000)],
    ["backquotes", Array.from({ length: 600 }, (_, i) => "`".repeat(i)).join("a")],
    ["a wide table", `|${"a|".repeat(3_000)}\n|${"-|".repeat(3_000)}\n${"|\n".repeat(3_000)}`],
    ["footnotes", "[^a]".repeat(10_000)],
    ["entities", "&".repeat(40_000)],
    ["angle brackets", "<".repeat(40_000)],
    ["definitions", "[a]: b\n".repeat(10_000)],
    ["e-mail addresses", "a@b.".repeat(20_000)],
  ])("survives %s: harmless HTML comes out, and the next text is rendered", async (_name, text) => {
    parseStrictly(await renderedOnce(markdown(text)));
    expect(await rendered(markdown("**next**"))).toBe('<p dir="auto"><strong>next</strong></p>');
  });

  test("does not hold up the thread that asked", async () => {
    let turns = 0;
    const turn = setInterval(() => turns++, 5);
    await renderedOnce(markdown(`free ${PATHOLOGICAL}`));
    clearInterval(turn);
    expect(turns).toBeGreaterThan(10);
  });

  test("escapes what it shows as it was typed", async () => {
    const text = `He said "1 < 2 & 3 > 2" <b> &lt; ${PATHOLOGICAL}`;
    const page = parseStrictly(await renderedOnce(markdown(text)));
    expect(page.text).toBe(text);
    expect(page.elements.map(({ name }) => name)).toEqual(["p"]);
  });

  test("renders the same text once for all who ask at a time, and rests from one that was too slow", async () => {
    const job = markdown(`once ${PATHOLOGICAL}`);
    const html = await Promise.all([renderedOnce(job), renderedOnce(job)]);
    expect((await render([job, job])).html).toEqual(html);
    // Each try is logged.
    expect(lines).toHaveLength(1);
  });

  test("tells that a text which was too slow may be rendered another time", async () => {
    const { isFinal } = await render([markdown(`again ${PATHOLOGICAL}`)]);
    expect(isFinal).toBe(false);
  });

  test("renders a text although the event loop stalls for longer than a page waits", async () => {
    const rendering = render([markdown("**stall**")]);
    // The worker has the text once the turn is over that asked for it.
    await new Promise((resolve) => setImmediate(resolve));
    blockLoop(TIMES.longestWaitMs + 300);
    const html = ['<p dir="auto"><strong>stall</strong></p>'];
    expect(await rendering).toEqual({ html, isFinal: true });
  });

  test("keeps the same code in two languages apart", async () => {
    const python = await rendered(code("print(select)", "python"));
    const sql = await rendered(code("print(select)", "sql"));
    const none = await rendered(code("print(select)", ""));
    expect(new Set([python, sql, none]).size).toBe(3);
  });

  test("keeps Markdown and code with the same text apart", async () => {
    expect(await rendered(markdown("*x*"))).toBe('<p dir="auto"><em>x</em></p>');
    expect(await rendered(code("*x*", ""))).toBe("*x*");
  });

  test("logs a fall-back without a word of the text", async () => {
    const text = `quiet ${PATHOLOGICAL}`;
    await renderedOnce(markdown(text));
    const [line = ""] = lines;
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      event: "text.unrendered",
      characters: text.length,
    });
    expect(line).not.toMatch(/quiet|\*a_/);
  });
});
