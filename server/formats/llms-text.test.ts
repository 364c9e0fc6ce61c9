import { expect, test } from "vitest";
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
