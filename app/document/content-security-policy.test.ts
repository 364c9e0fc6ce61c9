import { expect, test } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const BUILT_IN = "";
const PROJECT = "https://x.supabase.co/base";

function directives(backendUrl = BUILT_IN) {
  return Object.fromEntries(
    contentSecurityPolicy("abc", backendUrl)
      .split(";")
      .map((directive) => {
        const [name = "", ...sources] = directive.trim().split(/\s+/);
        return [name, sources];
      }),
  );
}

test("the Content Security Policy allows inline scripts and styles only with the response's nonce", () => {
  expect(directives()["script-src"]).toEqual(["'self'", "'nonce-abc'"]);
  expect(directives()["style-src"]).toEqual(["'nonce-abc'"]);
});

test.each([BUILT_IN, PROJECT])(
  "the Content Security Policy has no unsafe sources if the backend's URL is %j",
  (backendUrl) => {
    const policy = contentSecurityPolicy("abc", backendUrl);
    expect(policy).not.toMatch(/unsafe-|\*|data:|blob:/);
  },
);

test.each([BUILT_IN, PROJECT])(
  "the Content Security Policy denies by default, blocks plugins, base URLs and framing, and limits forms to the site, if the backend's URL is %j",
  (backendUrl) => {
    const policy = contentSecurityPolicy("abc", backendUrl);
    for (const name of ["default-src", "object-src", "base-uri", "frame-ancestors"]) {
      expect(policy).toContain(`${name} 'none'`);
    }
    expect(policy).toContain("form-action 'self'");
  },
);

test("the Content Security Policy allows pictures from any website", () => {
  expect(directives()["img-src"]).toEqual(expect.arrayContaining(["https:", "http:"]));
});

test("the Content Security Policy allows requests only to the site and to its Supabase project", () => {
  expect(directives()["connect-src"]).toEqual(["'self'"]);
  expect(directives(PROJECT)["connect-src"]).toEqual(["'self'", "https://x.supabase.co"]);
});
