import { describe, expect, test } from "vitest";
import { siteTitle } from "./site-title.ts";

const SITE = { siteName: "Techfolio", siteDomain: "techfolio" };

describe("the site title (specification §1)", () => {
  test.each(["techfolio", "techfolio.com", "www.techfolio.com", "my-techfolio.example", "TechFolio.Example"])(
    "the site title ends in com on the host %s",
    (host) => {
      expect(siteTitle(SITE, host)).toBe("Techfolio.com");
    },
  );

  test.each(["localhost", "127.0.0.1", "example.com", "tech.folio.com", "::1", ""])(
    "the site title ends in pro on the host %j",
    (host) => {
      expect(siteTitle(SITE, host)).toBe("Techfolio.pro");
    },
  );

  test("SITE_NAME and SITE_DOMAIN change the site title", () => {
    const own = { siteName: "Guild", siteDomain: "guild.example" };
    expect(siteTitle(own, "guild.example")).toBe("Guild.com");
    expect(siteTitle(own, "techfolio.com")).toBe("Guild.pro");
  });
});
