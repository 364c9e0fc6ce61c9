// Finds a Chromium for the tests, or installs Playwright's or Debian's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { executable, fail, root } from "./ensure.mjs";
import { runProgram, showProgress } from "./step.mjs";

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

export async function ensureTestBrowser(node) {
  if (process.env.CHROME_PATH) return ensureBrowser(node);
  if (!starts(headlessShell) && isDebianRoot()) await installPackage("chromium-headless-shell");
  return starts(headlessShell) ? headlessShell : ensureBrowser(node);
}

export async function ensureBrowser(node) {
  const given = process.env.CHROME_PATH;
  if (given)
    return starts(given)
      ? given
      : fail(
          `The browser in CHROME_PATH (${given}) doesn't start: set CHROME_PATH to a Chromium, or unset it.`,
        );
  const found = usualPlaces.find(starts) ?? playwrightBrowser(node);
  if (found !== undefined) return found;

  // On a minimal machine, Playwright's browser doesn't start, because system libraries are missing. Then install
  // Debian's package, which also installs the libraries.
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "15000" };
  await attempt(env, [node, executable("playwright", "playwright"), "install", "chromium"]);
  const downloaded = playwrightBrowser(node);
  if (downloaded !== undefined) return downloaded;
  if (isDebianRoot()) await installPackage("chromium");
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

async function installPackage(name) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await attempt(env, ["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", name]);
}

/** Doesn't fail: the caller checks whether there is a browser now. */
async function attempt(env, ...commands) {
  const progress = showProgress("Installing a browser for the tests", process.stderr);
  for (const [program, ...args] of commands) {
    await runProgram({ program, args, env: { ...process.env, ...env } });
  }
  progress.end("");
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
