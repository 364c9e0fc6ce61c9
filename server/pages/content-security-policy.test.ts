import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { InlineCode } from "../../app/site.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const BUILT_IN = "";
const PROJECT = "https://x.supabase.co/base";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function directives(inline: Partial<InlineCode>, backendUrl = BUILT_IN) {
  const policy = contentSecurityPolicy({ scripts: [], styles: [], ...inline }, backendUrl);
  return Object.fromEntries(
    policy.split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

test("the inline code of the server runs, by its hashes, and each is named once", () => {
  const policy = directives({ scripts: ["let a;", "two", "two"], styles: ["p{color:red}"] });
  expect(policy["script-src"]).toEqual(["'self'", hash("let a;"), hash("two")]);
  expect(policy["style-src"]).toEqual(["'self'", hash("p{color:red}")]);
});

test("hashes are those of the UTF-8 that a browser sees", () => {
  expect(directives({ scripts: ['"Fọlákẹ́ — 🚀"'] })["script-src"]).toContain(hash('"Fọlákẹ́ — 🚀"'));
});

test.each([BUILT_IN, PROJECT])("the policy has no loophole", (backendUrl) => {
  const policy = contentSecurityPolicy({ scripts: ["a"], styles: ["b"] }, backendUrl);
  expect(policy).not.toMatch(/unsafe-|nonce-|\*|data:|blob:/);
  for (const name of ["default-src", "object-src", "base-uri", "frame-ancestors"]) {
    expect(policy).toContain(`${name} 'none'`);
  }
  expect(policy).toContain("form-action 'self'");
});

test("pictures come from anywhere", () => {
  expect(directives({})["img-src"]).toEqual(expect.arrayContaining(["https:", "http:"]));
});

test("the browser speaks to the site, and to its Supabase project where there is one", () => {
  expect(directives({})["connect-src"]).toEqual(["'self'"]);
  expect(directives({}, PROJECT)["connect-src"]).toEqual(["'self'", "https://x.supabase.co"]);
});
