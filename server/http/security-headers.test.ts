import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contentSecurityPolicy, securityHeaders } from "./security-headers.ts";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function directives(html: string, backendUrl = "") {
  return Object.fromEntries(
    contentSecurityPolicy(Buffer.from(html), backendUrl)
      .split(";")
      .map((directive) => {
        const [name = "", ...sources] = directive.trim().split(/\s+/);
        return [name, sources];
      }),
  );
}

const documentWith = (script: string, style: string) =>
  `<!DOCTYPE html><html><head><style>${style}</style></head><body><p>x</p><script>${script}</script></body></html>`;

describe("the content security policy of a page", () => {
  test("lets the page's own inline scripts and styles run, by their hashes", () => {
    const policy = directives(documentWith("let a = 1;", "p{color:red}"));
    expect(policy["script-src"]).toEqual(["'self'", hash("let a = 1;")]);
    expect(policy["style-src"]).toEqual(["'self'", hash("p{color:red}")]);
  });

  test("names every inline script, whatever its attributes and lines, and no other", () => {
    const html = `<script type="later" data-x="1">one
two</script><script src="/a.js"></script><script async="" src="/b.js">not run</script><script></script><script>one</script>`;
    expect(directives(html)["script-src"]).toEqual(["'self'", hash("one\ntwo"), hash("one")]);
  });

  test("is another one for a page with another script, so that neither page's script runs in the other", () => {
    const one = directives(documentWith("one()", "a{}"));
    const two = directives(documentWith("two()", "a{}"));
    expect(one["script-src"]).not.toEqual(two["script-src"]);
    expect(one["script-src"]).not.toContain(hash("two()"));
    expect(two["script-src"]).not.toContain(hash("one()"));
  });

  test("hashes what a browser hashes: the bytes of letters beyond ASCII", () => {
    const policy = directives(documentWith('"Fọlákẹ́ — 🚀"', 'p::before{content:"→"}'));
    expect(policy["script-src"]).toEqual(["'self'", hash('"Fọlákẹ́ — 🚀"')]);
    expect(policy["style-src"]).toEqual(["'self'", hash('p::before{content:"→"}')]);
  });

  test("takes no text of a member for a script", () => {
    const escaped = "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>";
    expect(directives(escaped)["script-src"]).toEqual(["'self'"]);
  });

  test.each(["", "https://x.supabase.co/"])("has no loophole", (backendUrl) => {
    const policy = contentSecurityPolicy(Buffer.from(documentWith("a", "b")), backendUrl);
    expect(policy).not.toMatch(/unsafe-|nonce-|\*|data:|blob:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
  });

  test("shows pictures from anywhere", () => {
    expect(directives("")["img-src"]).toEqual(expect.arrayContaining(["https:", "http:"]));
  });

  test("lets the browser speak to the site, and to its Supabase project where there is one", () => {
    expect(directives("")["connect-src"]).toEqual(["'self'"]);
    expect(directives("", "https://x.supabase.co/base")["connect-src"]).toEqual([
      "'self'",
      "https://x.supabase.co",
    ]);
  });
});

describe("the headers of every answer", () => {
  test("are those of the OWASP Secure Headers Project", () => {
    expect(securityHeaders({ siteUrl: "http://127.0.0.1:3000" })).toMatchObject({
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Permitted-Cross-Domain-Policies": "none",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "Permissions-Policy": expect.stringContaining("camera=()"),
    });
  });

  test("name what only TLS makes sense of, behind TLS only", () => {
    const names = ["Strict-Transport-Security", "Cross-Origin-Opener-Policy"];
    const plain = Object.keys(securityHeaders({ siteUrl: "http://127.0.0.1:3000" }));
    const secure = Object.keys(securityHeaders({ siteUrl: "https://techfolio.example" }));
    for (const name of names) {
      expect(plain).not.toContain(name);
      expect(secure).toContain(name);
    }
  });
});
