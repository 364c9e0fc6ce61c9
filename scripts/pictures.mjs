// Regenerates the README's pictures and the touch icon: `npm run pictures`.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { build, ensureInstalled, fail, findNode, root } from "./ensure.mjs";

ensureInstalled({ development: true });
const node = findNode();
const browser = ensureBrowser(node);
if (!build(node)) fail("Build failed; see above.");
const { status } = spawnSync(
  node,
  ["--disable-warning=ExperimentalWarning", path.join(root, "docs/pictures/make.ts")],
  { stdio: "inherit", env: { ...process.env, CHROME_PATH: browser, NODE_ENV: "production" } },
);
process.exit(status ?? 1);
