import { beforeAll, describe, expect, test, vi } from "vitest";
import type { RenderJob } from "../../common/page-services.ts";
import { parseStrictly } from "../../tests/support/strict-html.ts";
import { createLog } from "../http/log.ts";
import { createRenderer, type Render } from "./renderer.ts";

const markdown = (text: string, author: string = crypto.randomUUID()): RenderJob => ({
  author,
  format: "markdown",
  text,
  path: "",
});
const code = (text: string, language: string): RenderJob => ({ author: "", format: "code", text, language });

/** Takes quadratic time: each `*` can open emphasis and each `_` can close it, but no two of them match. */
const PATHOLOGICAL = "*a_ ".repeat(6_000);
/** An article of more than 125,000 characters. */
const LONG_ARTICLE = Array.from(
  { length: 285 },
  (_, n) =>
    `## Step ${n}\n\n${"Some **bold** words and a [link](https://x.test). ".repeat(8)}\n\n- \`one\`\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n`,
).join("");

const LIMITS = {
  longestWaitMs: 400,
  quickTextMs: 100,
  quickAuthorMs: 300,
  backgroundMs: (characters: number) => (characters < 100_000 ? 150 : 10_000),
};

/** Most tests share one renderer, because starting its threads is slow. */
const shared = createRenderer(
  createLog(() => undefined),
  LIMITS,
);
let lines: string[];

/** Creates a separate renderer, for tests that count log lines or fill the queue. */
function startRenderer(limits = LIMITS): Render {
  const own: string[] = [];
  lines = own;
  return createRenderer(
    createLog((line) => own.push(line)),
    limits,
  );
}

const isPlain = (html = "") => html.includes('class="plain-text"');

/** Renders repeatedly until all jobs are ready, like a visitor who reloads the page. */
async function renderAll(jobs: RenderJob[], render = shared): Promise<string[]> {
  return vi.waitFor(
    async () => {
      const html = await render(jobs);
      expect(html.filter(isPlain)).toEqual([]);
      return html;
    },
    { timeout: 100_000, interval: 50 },
  );
}

async function rendered(job: RenderJob, render = shared): Promise<string> {
  return (await renderAll([job], render)).join();
}

/** Waits until the renderer has logged this many jobs that it cannot render. */
async function waitForLogLines(count: number): Promise<void> {
  await vi.waitFor(() => expect(lines).toHaveLength(count), { timeout: 100_000, interval: 50 });
}

describe("rendering members' Markdown and code", { timeout: 120_000 }, () => {
  test("the renderer returns HTML for Markdown and code, in the order of the jobs", async () => {
    const jobs = [markdown("**bold**"), code("select 1", "sql"), markdown("_it_"), code("x", "none")];
    const html = [
      '<p dir="auto"><strong>bold</strong></p>',
      expect.stringContaining('<span class="hljs-keyword">select</span>'),
      '<p dir="auto"><em>it</em></p>',
      "x",
    ];
    await vi.waitFor(async () => expect(await shared(jobs)).toEqual(html), { timeout: 60_000 });
  });

  test("the renderer returns an empty list if there are no jobs", async () => {
    expect(await shared([])).toEqual([]);
  });

  test("the first page after a start waits for the parsers instead of showing plain text", async () => {
    expect(await startRenderer()([markdown("**first**")])).toEqual([
      '<p dir="auto"><strong>first</strong></p>',
    ]);
  });

  test("on a slow machine, an author's slow jobs delay neither pages that show them nor other authors' short and long texts", async () => {
    const render = startRenderer({ ...LIMITS, quickTextMs: 50 });
    const slowOnes = (round: number) =>
      Array.from({ length: 3 }, (_, n) => markdown(`${PATHOLOGICAL}${round}.${n}`, "eve"));
    let round = 0;
    // Retry: the first page waits, because the author's jobs are not known to be slow yet.
    await vi.waitFor(
      async () => {
        const start = performance.now();
        const page = await render(slowOnes(round++));
        expect(page.filter(isPlain)).toHaveLength(3);
        expect(performance.now() - start).toBeLessThan(LIMITS.longestWaitMs);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(await rendered(markdown("**mine**", "ada"), render)).toBe(
      '<p dir="auto"><strong>mine</strong></p>',
    );
    // A long article is plain text at first, and is rendered in the background.
    const article: RenderJob = {
      author: "ada",
      format: "markdown-page",
      text: LONG_ARTICLE,
      path: "/articles/1",
    };
    expect(LONG_ARTICLE.length).toBeGreaterThan(125_000);
    expect((await render([article])).filter(isPlain)).toHaveLength(1);
    expect(await rendered(article, render)).toContain("Step 284");
    expect(lines.length, "slow texts are still in the queue").toBeLessThan(3 * round);
  });

  test("Markdown full of unclosed or nested syntax becomes well-formed HTML, and the next job is rendered", async () => {
    const texts = {
      "nested bullets": "* ".repeat(200),
      "nested quotes": "> ".repeat(200),
      "unclosed brackets": "[".repeat(2_000),
      "unclosed images": "![".repeat(2_000),
      "unclosed links": "[a](".repeat(500),
      backquotes: Array.from({ length: 60 }, (_, i) => "`".repeat(i)).join("a"),
      "unclosed comments": "<!--".repeat(2_000),
      "table cells": `|${"a|".repeat(50)}\n|${"-|".repeat(50)}\n${"|\n".repeat(50)}`,
      footnotes: "[^a]".repeat(1_000),
      ampersands: "&".repeat(4_000),
      "angle brackets": "<".repeat(4_000),
      "link definitions": "[a]: b\n".repeat(500),
      "email addresses": "a@b.".repeat(500),
    };
    const render = startRenderer({ ...LIMITS, longestWaitMs: 60_000, quickTextMs: 20_000 });
    for (const [name, text] of Object.entries(texts)) {
      const [html = "", next] = await render([markdown(text), markdown("**next**")]);
      parseStrictly(html);
      expect(isPlain(html), name).toBe(name === "nested quotes");
      expect(next, name).toBe('<p dir="auto"><strong>next</strong></p>');
    }
  });

  test("the same text is cached separately as Markdown and as code in each language", async () => {
    const languages = ["python", "sql", ""].map((language) => code("print(select)", language));
    await vi.waitFor(async () => expect(new Set(await shared(languages)).size).toBe(3), { timeout: 60_000 });
    expect(await rendered(markdown("*x*"))).toBe('<p dir="auto"><em>x</em></p>');
    expect(await rendered(code("*x*", ""))).toBe("*x*");
  });
});

describe("a text that takes too long to render", () => {
  const SLOW = `He said "1 < 2 & 3 > 2" <b> &lt; ${PATHOLOGICAL}`;
  const jobs = [markdown("# before"), markdown(`<!-- note -->${SLOW}`), markdown("# after")];
  let page: string[];
  let turns = 0;

  beforeAll(async () => {
    const render = startRenderer();
    const turn = setInterval(() => turns++, 5);
    await Promise.all([render(jobs), render(jobs)]);
    clearInterval(turn);
    await waitForLogLines(1);
    await renderAll(
      jobs.filter((_, index) => index !== 1),
      render,
    );
    page = await render(jobs);
  }, 120_000);

  test("stays plain text, which is escaped and loses its HTML comments", () => {
    expect(isPlain(page[1])).toBe(true);
    const { text, elements } = parseStrictly(page[1] ?? "");
    expect(text).toBe(SLOW);
    expect(elements.map(({ name }) => name)).toEqual(["p"]);
  });

  test("does not keep the texts next to it from being rendered", () => {
    expect(page[0]).toBe('<h3 dir="auto" class="depth-1">before</h3>');
    expect(page[2]).toBe('<h3 dir="auto" class="depth-1">after</h3>');
  });

  test("does not block the thread that serves pages", () => {
    expect(turns).toBeGreaterThan(10);
  });

  test("is tried only once, although several pages request it", () => {
    expect(lines).toHaveLength(1);
  });

  test("is in the log with the reason and its length, but none of its words", () => {
    const [line = ""] = lines;
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      event: "text.unrendered",
      reason: "BudgetExceededError",
      characters: jobs[1]?.text.length,
    });
    expect(line).not.toMatch(/said|\*a_/);
  });
});

test("texts that a busy server shows as plain text are escaped in every format", async () => {
  const render = startRenderer({ ...LIMITS, longestWaitMs: 0 });
  const hostile = `<script>alert("1")</script>&amp;`;
  const slowArticle = markdown(hostile + PATHOLOGICAL);
  const slowSample = code(hostile + "\nselect 1;".repeat(20_000), "sql");
  const [article, sample] = await render([slowArticle, slowSample]);
  for (const html of [article, sample]) {
    expect(html).toContain("&lt;script&gt;alert(");
    expect(html).toContain("&amp;amp;");
    expect(html).not.toContain("<script");
  }
});
