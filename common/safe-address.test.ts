import fc from "fast-check";
import { expect, test } from "vitest";
import { hostOf, safeAddress } from "./safe-address.ts";

const ALLOWED = ["http", "https", "irc", "ircs", "mailto", "xmpp"];

/** The scheme that a browser would see in this link. `URL` parses links as browsers do (WHATWG URL Standard). */
function schemeInBrowser(address: string): string {
  return new URL(address, "https://techfolio.test/page").protocol.slice(0, -1);
}

/** Strings that combine schemes and colons with characters that browsers may ignore or decode. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "javascript",
        "JaVaScRiPt",
        "data",
        "vbscript",
        "https",
        "mailto",
        "file",
        "blob",
        ":",
        "/",
        "?",
        "#",
        "\\",
        "\t",
        "\n",
        "\0",
        " ",
        "\u00a0",
        "\u2028",
        "&colon;",
        "%3a",
        "alert(1)",
        "@",
        "：",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(""));

test("every URL that safeAddress returns has an allowed scheme when a browser parses it", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.webUrl(), fc.string({ unit: "binary" })), (address) => {
      const safe = safeAddress(address);
      fc.pre(URL.canParse(safe, "https://techfolio.test/page"));
      expect(ALLOWED).toContain(schemeInBrowser(safe));
    }),
    { numRuns: 5_000 },
  );
});

test("safeAddress returns the URL unchanged or an empty string, and is idempotent", () => {
  fc.assert(
    fc.property(hostile, (address) => {
      const safe = safeAddress(address);
      expect([address, ""]).toContain(safe);
      expect(safeAddress(safe)).toBe(safe);
    }),
  );
});

test.each([null, undefined, ""])('safeAddress returns "" for %j', (address) => {
  expect(safeAddress(address)).toBe("");
});

test.each([
  "http://example.com",
  "HTTPS://EXAMPLE.COM/?q=javascript:alert(1)",
  "https://user:pass@example.com:8443/a:b",
  "irc://irc.libera.chat/python",
  "ircs://irc.libera.chat:6697/sql",
  "mailto:someone@example.com?subject=a:b",
  "MailTo:someone@example.com",
  "xmpp:room@example.com?join",
  "http:example.com",
  "/articles",
  "//example.com/a:b",
  "./a:b",
  "../up",
  "?q=javascript:alert(1)",
  "#javascript:alert(1)",
  "page",
  "/javascript:alert(1)",
  "javascript/alert:1",
  "javascript?:alert(1)",
  "javascript#:alert(1)",
  "&colon;",
  "&#106;avascript:alert(1)",
  "javascript%3Aalert(1)",
  "javascript：alert(1)",
  "\\\\example.com",
  " /leading-space",
])("safeAddress keeps the URL %j", (address) => {
  expect(safeAddress(address)).toBe(address);
});

test.each([
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)",
  "JaVaScRiPt:alert(1)",
  "javascript:alert(1)//http://example.com",
  "javascript:/*https://*/alert(1)",
  "javascript://example.com/%0aalert(1)",
  "javascript:void(0)",
  "javascript:",
  " javascript:alert(1)",
  "\tjavascript:alert(1)",
  "\njavascript:alert(1)",
  "\r\njavascript:alert(1)",
  "\0javascript:alert(1)",
  "\u0001javascript:alert(1)",
  "\u001fjavascript:alert(1)",
  "\u00a0javascript:alert(1)",
  "\u2028javascript:alert(1)",
  "\ufeffjavascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java\rscript:alert(1)",
  "java\0script:alert(1)",
  "javascript\t:alert(1)",
  "javascript\n:alert(1)",
  "javascript :alert(1)",
  "javascript\u200b:alert(1)",
  "javasc\u00adript:alert(1)",
  "ｊavascript:alert(1)",
  "javaſcript:alert(1)",
  "&Tab;javascript:alert(1)",
  "%6aavascript:alert(1)",
  "\\javascript:alert(1)",
  '"javascript:alert(1)',
  "'javascript:alert(1)",
  "<javascript:alert(1)>",
  "feed:javascript:alert(1)",
  "view-source:javascript:alert(1)",
  "jar:javascript:alert(1)!/",
  "about:blank",
  "data:text/html,<script>alert(1)</script>",
  "DATA:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/png;base64,iVBORw0KGgo=",
  "data:,",
  " data:text/html,x",
  "da\tta:text/html,x",
  "vbscript:msgbox(1)",
  "VBScript:msgbox(1)",
  "vb\nscript:msgbox(1)",
  "livescript:alert(1)",
  "mocha:alert(1)",
  "file:///etc/passwd",
  "FILE:c:/windows",
  "ftp://example.com",
  "sftp://example.com",
  "blob:https://example.com/1",
  "filesystem:https://example.com/temporary/x",
  "chrome://settings",
  "chrome-extension://abc/page.html",
  "resource://gre",
  "ms-settings:privacy",
  "tel:+123456",
  "sms:+123456",
  "skype:x?call",
  "intent://x#Intent;scheme=javascript;end",
  "ws://example.com",
  "wss://example.com",
  "urn:isbn:1",
  "magnet:?xt=urn:btih:1",
  "cid:1",
  "x:y",
  ":",
  "://example.com",
  "1http://example.com",
  "xhttp://example.com",
  "httpx://example.com",
  "httpss://example.com",
  "http\n://example.com",
  "https ://example.com",
  " https://example.com",
  "mailto\n:a@example.com",
  "https\njavascript:alert(1)",
  "javascript\nhttps:alert(1)",
  "http\u200b://example.com",
])('safeAddress replaces the disallowed URL %j with ""', (address) => {
  expect(safeAddress(address)).toBe("");
});

test.each([
  ["https://www.postgresql.org/docs/", "postgresql.org"],
  ["http://docs.www.example.com:8080/a", "docs.www.example.com"],
  ["/articles", ""],
  ["www.example.com", ""],
  ["javascript://example.com/%0aalert(1)", ""],
  ["", ""],
])("the host of %j that a card shows is %j", (address, host) => {
  expect(hostOf(address)).toBe(host);
});
