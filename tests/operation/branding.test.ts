import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startHere, temporaryCluster, temporaryFolder } from "../support/process.ts";

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>';

test("a page shows the operator's logo and footer links", async () => {
  const file = path.join(await temporaryFolder(), "logo.svg");
  await writeFile(file, LOGO);
  const site = await startHere({
    DATA_DIR: await temporaryCluster(),
    SEED: "none",
    SITE_LOGO: file,
    FOOTER_LINKS: 'Imprint=https://example.org/imprint; "Privacy" & more=/privacy',
  });
  const html = await (await fetch(`${site.url}/useful-links`)).text();
  expect(html).toMatch(
    /<footer[\s\S]*<a [^>]*href="https:\/\/example\.org\/imprint"[^>]*>Imprint<\/a>[\s\S]*<\/footer>/,
  );
  expect(html).toMatch(/<a [^>]*href="\/privacy"[^>]*>&quot;Privacy&quot; &amp; more<\/a>/);
  const [, logo = ""] = /<header[\s\S]*?<img src="([^"]+)"/.exec(html) ?? [];
  const response = await fetch(site.url + logo);
  expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
  expect(response.headers.get("Cache-Control")).toContain("immutable");
  expect(await response.text()).toBe(LOGO);
});
