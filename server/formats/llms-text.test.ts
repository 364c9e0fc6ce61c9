import { expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { writeLlmsText } from "./llms-text.ts";

test("each line of a section of llms.txt is a link, as llmstxt.org's reference parser requires", () => {
  const backend = { url: "", key: "key", previewsLinks: true, invitesWithTokens: false };
  const text = writeLlmsText("A  site", "https://a.example", backend);
  expect(text).toMatch(/^# A site\n\n> \S.*\n/);
  const [, ...sections] = text.split(/^## .*\n/m);
  expect(sections.length).toBeGreaterThan(1);
  for (const line of sections.join("\n").split("\n")) {
    // The pattern of `parse_link` in AnswerDotAI/llms-txt.
    if (line.trim() !== "") expect(line).toMatch(/^-\s*\[[^\]]+\]\([^)]+\)(?::\s*.*)?$/);
  }
});

test("llms.txt names every kind's list, file and feed, and the API's own address where a project serves it", () => {
  const text = (url: string) =>
    writeLlmsText("Site", "https://a.example", {
      url,
      key: "the-key",
      previewsLinks: true,
      invitesWithTokens: false,
    });
  for (const { name, path, description, file, feed } of KINDS) {
    expect(text("")).toContain(
      `\n- [${name}](https://a.example${path}): ${description} Search with \`?q=\`.\n`,
    );
    if (file)
      expect(text("")).toContain(
        `\n- ${name}: \`https://a.example${path}/{id}.${file.extensions.join("|")}\`\n`,
      );
    const line = `\n- [Feed of ${name.toLowerCase()}](https://a.example${feed}): the newest ones as Atom\n`;
    expect(text("").includes(line)).toBe(feed !== undefined);
  }
  expect(text("")).toMatch(
    /\nMembers publish articles, useful links, .*\band [\w ]+, and each member has a page\./,
  );
  expect(text("")).toContain("- URL: `https://a.example`\n- Public key (header `apikey`): `the-key`\n");
  expect(text("https://project.example")).toContain("- URL: `https://project.example`\n");
  expect(text("")).not.toMatch(/undefined|\n\n\n/);
});
