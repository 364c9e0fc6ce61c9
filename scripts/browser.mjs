// Finds a Chromium for the tests, or installs Playwright's or Debian's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fail, root, run } from "./ensure.mjs";

/** Debian's build of Chromium without a user interface. It needs a third less CPU time than the full browser. */
const headlessShell = "/usr/bin/chromium-headless-shell";
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

export function ensureTestBrowser(node) {
  if (process.env.CHROME_PATH) return ensureBrowser(node);
  if (!starts(headlessShell) && isDebianRoot()) {
    console.log("Installing a browser for the tests…");
    installPackage("chromium-headless-shell");
  }
  return starts(headlessShell) ? headlessShell : ensureBrowser(node);
}

export function ensureBrowser(node) {
  const given = process.env.CHROME_PATH;
  if (given)
    return starts(given)
      ? given
      : fail(
          `The browser in CHROME_PATH (${given}) doesn't start: set CHROME_PATH to a Chromium, or unset it.`,
        );
  const found = usualPlaces.find(starts) ?? playwrightBrowser(node);
  if (found !== undefined) return found;

  console.log("Installing a browser for the tests…");
  // On a minimal machine, Playwright's browser doesn't start, because system libraries are missing. Then install
  // Debian's package, which also installs the libraries.
  run(node, "playwright", "playwright", ["install", "chromium"], {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000",
  });
  const downloaded = playwrightBrowser(node);
  if (downloaded !== undefined) return downloaded;
  if (isDebianRoot()) installPackage("chromium");
  return (
    usualPlaces.find(starts) ??
    fail(
      "The tests need Chromium, which could not be installed: install it, and set CHROME_PATH to its executable.",
    )
  );
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

function installPackage(name) {
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  spawnSync("apt-get", ["update"], options);
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", name], options);
}

function playwrightBrowser(node) {
  const program = "import('playwright').then(({ chromium }) => console.log(chromium.executablePath()))";
  const { stdout } = spawnSync(node, ["-e", program], { cwd: root, encoding: "utf8" });
  const file = stdout.trim();
  return file !== "" && starts(file) ? path.resolve(file) : undefined;
}

function starts(file) {
  return existsSync(file) && spawnSync(file, ["--version"], { timeout: 30_000 }).status === 0;
}
