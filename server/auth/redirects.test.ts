import { describe, expect, test } from "vitest";
import { safeRedirect } from "./redirects.ts";

const rules = {
  siteUrl: "https://techfolio.example",
  redirectUrls: ["https://app.example/welcome", "https://preview.example/"],
};
const home = "https://techfolio.example/profile";

describe("redirects to URLs that a client requests", () => {
  test.each([
    "https://techfolio.example/",
    "https://techfolio.example/profile?next=1#here",
    "https://app.example/welcome",
    "https://app.example/welcome/back?x=1",
    "https://preview.example/any/path",
  ])("a redirect to %s is allowed", (address) => {
    expect(safeRedirect(address, rules)).toBe(address);
  });

  test.each([
    undefined,
    "",
    "/profile",
    "//evil.example",
    "///evil.example",
    "https://evil.example/",
    "http://techfolio.example/",
    "https://techfolio.example:8443/",
    "https://techfolio.example.evil.example/",
    "https://techfolio.example@evil.example/",
    "https://user@techfolio.example/",
    "https://user:secret@techfolio.example/",
    "https://eviltechfolio.example/",
    "https://sub.techfolio.example/",
    "https://techfolio.example\\@evil.example/",
    "https://evil.example\\.techfolio.example/",
    "https:\\\\evil.example",
    "https:/evil.example",
    "https:evil.example",
    "https://evil.example#https://techfolio.example/",
    "https://evil.example?https://techfolio.example/",
    " https://evil.example/",
    "https://evil.example/ ",
    "\thttps://evil.example/",
    "https://techfolio.example\t.evil.example/",
    "https://techfolio.example\r\nLocation: https://evil.example/",
    "https://techfolio\u3002example/",
    "https://ｔechfolio.example.evil.example/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://techfolio.example/",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://techfolio.example/1",
    "ftp://techfolio.example/",
    "ws://techfolio.example/",
    "https://app.example/",
    "https://app.example/welcomer",
    "https://app.example/welcome/../admin",
    "https://app.example/welcome/%2e%2e/admin",
    "https://APP.example.evil.example/welcome",
    "https://preview.example.evil.example/",
    "null",
    "https://",
    "https://%00/",
  ])("a redirect to %j leads to the site's profile page instead", (address) => {
    expect(safeRedirect(address, rules)).toBe(home);
  });

  test("localhost, 127.0.0.1 and [::1] are the same redirect target if the port is the same", () => {
    const local = { siteUrl: "http://127.0.0.1:3000", redirectUrls: ["http://localhost:5173/app"] };
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      expect(safeRedirect(`http://${host}:3000/profile`, local)).toBe(`http://${host}:3000/profile`);
      expect(safeRedirect(`http://${host}:5173/app`, local)).toBe(`http://${host}:5173/app`);
      expect(safeRedirect(`http://${host}:3001/profile`, local)).toBe("http://127.0.0.1:3000/profile");
      expect(safeRedirect(`http://${host}:5173/`, local)).toBe("http://127.0.0.1:3000/profile");
    }
    expect(safeRedirect("http://localhost.evil.example:3000/", local)).toBe("http://127.0.0.1:3000/profile");
    expect(safeRedirect("http://localhost/", rules)).toBe(home);
  });
});
