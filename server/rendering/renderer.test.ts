import { describe, expect, test, vi } from "vitest";
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

  test("on a slow machine, a long article is plain text at first and is rendered in the background", async () => {
    const job: RenderJob = { author: "a", format: "markdown-page", text: LONG_ARTICLE, path: "/articles/1" };
    expect(LONG_ARTICLE.length).toBeGreaterThan(125_000);
    const slowMachine = startRenderer({ ...LIMITS, quickTextMs: 30 });
    expect((await slowMachine([job])).filter(isPlain)).toHaveLength(1);
    expect(await rendered(job, slowMachine)).toContain("Step 284");
  });

  test("pathological Markdown stays plain text, and the jobs next to it are rendered", async () => {
    const jobs = [markdown("# before"), markdown(PATHOLOGICAL), markdown("# after")];
    const render = startRenderer();
    await render(jobs);
    await waitForLogLines(1);
    const [before, slow = "", after] = await render(jobs);
    expect(before).toBe('<h3 dir="auto" class="depth-1">before</h3>');
    expect(after).toBe('<h3 dir="auto" class="depth-1">after</h3>');
    expect(isPlain(slow)).toBe(true);
    expect(parseStrictly(slow).text).toBe(PATHOLOGICAL);
  });

  test("once an author's jobs have been slow, pages don't wait for that author's new jobs, and other authors' jobs are rendered", async () => {
    const slowOnes = (round: number) =>
      Array.from({ length: 5 }, (_, n) => markdown(`${PATHOLOGICAL}${round}.${n}`, "eve"));
    const render = startRenderer();
    let round = 0;
    // Retry: the first page waits, because the author's jobs are not known to be slow yet.
    await vi.waitFor(
      async () => {
        const start = performance.now();
        const page = await render(slowOnes(round++));
        expect(page.filter(isPlain)).toHaveLength(5);
        expect(performance.now() - start).toBeLessThan(LIMITS.longestWaitMs);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(await rendered(markdown("**mine**", "ada"), render)).toBe(
      '<p dir="auto"><strong>mine</strong></p>',
    );
    expect(lines.length, "slow texts are still in the queue").toBeLessThan(5 * round);
  });

  test("an author's short job is rendered before their slow one, even if it comes later on the page", async () => {
    const [slow, short] = await startRenderer()([
      markdown(PATHOLOGICAL, "eve"),
      markdown("**short**", "eve"),
    ]);
    expect(isPlain(slow)).toBe(true);
    expect(short).toBe('<p dir="auto"><strong>short</strong></p>');
  });

  test("a long article does not wait for all of another author's slow jobs", async () => {
    const render = startRenderer({ ...LIMITS, quickTextMs: 50 });
    const slowOnes = Array.from({ length: 5 }, (_, n) => markdown(`${PATHOLOGICAL}${n}`, "eve"));
    await render(slowOnes);
    expect(await rendered(markdown(LONG_ARTICLE, "ada"), render)).toContain("Step 284");
    expect(lines.length, "slow texts are still in the queue").toBeLessThan(5);
  });

  test.each([
    ["nested bullets", "* ".repeat(2_000)],
    ["nested quotes", "> ".repeat(2_000)],
    ["unclosed brackets", "[".repeat(20_000)],
    ["unclosed images", "![".repeat(20_000)],
    ["unclosed links", "[a](".repeat(20_000)],
    ["backquotes", Array.from({ length: 600 }, (_, i) => "`".repeat(i)).join("a")],
    ["unclosed comments", "<!--".repeat(20_000)],
    ["table cells", `|${"a|".repeat(3_000)}\n|${"-|".repeat(3_000)}\n${"|\n".repeat(3_000)}`],
    ["footnotes", "[^a]".repeat(10_000)],
    ["ampersands", "&".repeat(40_000)],
    ["angle brackets", "<".repeat(40_000)],
    ["link definitions", "[a]: b\n".repeat(10_000)],
    ["email addresses", "a@b.".repeat(20_000)],
  ])("Markdown full of %s becomes well-formed HTML, and the next job is rendered", async (_name, text) => {
    parseStrictly((await shared([markdown(text)])).join());
    expect(await rendered(markdown("**next**"))).toBe('<p dir="auto"><strong>next</strong></p>');
  });

  test("a slow job does not block the thread that serves pages", async () => {
    let turns = 0;
    const turn = setInterval(() => turns++, 5);
    await shared([markdown(`free ${PATHOLOGICAL}`)]);
    clearInterval(turn);
    expect(turns).toBeGreaterThan(10);
  });

  test("Markdown that is shown as plain text is escaped and loses its HTML comments", async () => {
    const text = `He said "1 < 2 & 3 > 2" <b> &lt; ${PATHOLOGICAL}`;
    const page = parseStrictly((await shared([markdown(`<!-- note -->${text}`)])).join());
    expect(page.text).toBe(text);
    expect(page.elements.map(({ name }) => name)).toEqual(["p"]);
  });

  test("a slow job that several pages request is tried only once", async () => {
    const job = markdown(`once ${PATHOLOGICAL}`);
    const render = startRenderer();
    await Promise.all([render([job]), render([job, job])]);
    await waitForLogLines(1);
    await render([job]);
    expect(lines).toHaveLength(1);
  });

  test("the same text is cached separately as Markdown and as code in each language", async () => {
    const languages = ["python", "sql", ""].map((language) => code("print(select)", language));
    await vi.waitFor(async () => expect(new Set(await shared(languages)).size).toBe(3), { timeout: 60_000 });
    expect(await rendered(markdown("*x*"))).toBe('<p dir="auto"><em>x</em></p>');
    expect(await rendered(code("*x*", ""))).toBe("*x*");
  });

  test("the log contains the reason and the length of unrendered Markdown, but none of its words", async () => {
    const text = `quiet ${PATHOLOGICAL}`;
    await startRenderer()([markdown(text)]);
    await waitForLogLines(1);
    const [line = ""] = lines;
    expect(JSON.parse(line)).toMatchObject({
      level: "warn",
      event: "text.unrendered",
      reason: "BudgetExceededError",
      characters: text.length,
    });
    expect(line).not.toMatch(/quiet|\*a_/);
  });
});

test("texts that a busy server shows as plain text are escaped in every format", async () => {
  const render = startRenderer({ ...LIMITS, longestWaitMs: 0 });
  const hostile = `<script>alert("1")</script>&amp;`;
  const [article, sample] = await render([markdown(hostile), code(hostile, "sql")]);
  for (const html of [article, sample]) {
    expect(html).toContain("&lt;script&gt;alert(");
    expect(html).toContain("&amp;amp;");
    expect(html).not.toContain("<script");
  }
});
