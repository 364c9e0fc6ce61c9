import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { BROWSER_FLAGS } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { connectBidi } from "./bidi.ts";
import { type Browser, WINDOW } from "./browser.ts";
import { connectWebDriver } from "./webdriver.ts";

export interface Engine {
  name: string;
  /** Maps the name of each required Debian package to the path of an executable that it installs. */
  requirements: Record<string, string>;
  launch(hasScripts: boolean): Promise<Browser>;
}

const MINI_BROWSER = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;

export const ENGINES: Engine[] = [
  {
    name: "Chromium",
    requirements: { chromium: "/usr/bin/chromium", "chromium-driver": "/usr/bin/chromedriver" },
    async launch(hasScripts) {
      const port = await freePort();
      const driver = spawn("chromedriver", [`--port=${port}`], { stdio: "ignore" });
      const options = {
        binary: "/usr/bin/chromium",
        args: ["--headless", ...BROWSER_FLAGS],
        prefs: { "profile.managed_default_content_settings.javascript": hasScripts ? 1 : 2 },
      };
      return withProcesses([driver], () =>
        connectWebDriver(port, { browserName: "chrome", "goog:chromeOptions": options }),
      );
    },
  },
  {
    name: "Firefox",
    requirements: { "firefox-esr": "/usr/bin/firefox-esr" },
    async launch(hasScripts) {
      const profile = await mkdtemp(path.join(tmpdir(), "techfolio-firefox-"));
      await writeFile(path.join(profile, "user.js"), `user_pref("javascript.enabled", ${hasScripts});\n`);
      const browser = spawn(
        "firefox-esr",
        ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
        { stdio: ["ignore", "ignore", "pipe"] },
      );
      return withProcesses(
        [browser],
        async () => connectBidi(await firstMatch(browser, /listening on (ws:\S+)\n/)),
        () => rm(profile, { recursive: true, force: true, maxRetries: 3 }),
      );
    },
  },
  {
    name: "WebKit",
    requirements: { "webkit2gtk-driver": MINI_BROWSER, xvfb: "/usr/bin/Xvfb" },
    async launch(hasScripts) {
      const screen = ["-screen", "0", `${WINDOW.width}x${WINDOW.height}x24`, "-nolisten", "tcp"];
      const display = spawn("Xvfb", ["-displayfd", "2", ...screen], { stdio: ["ignore", "ignore", "pipe"] });
      const port = await freePort();
      const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
        stdio: "ignore",
        env: { ...process.env, DISPLAY: `:${await firstMatch(display, /^(\d+)\n/)}` },
      });
      const options = { binary: MINI_BROWSER, args: ["--automation", `--enable-javascript=${hasScripts}`] };
      return withProcesses([driver, display], () =>
        connectWebDriver(port, { "webkitgtk:browserOptions": options }),
      );
    },
  },
];

export function missingPackages({ requirements }: Engine): string[] {
  return Object.keys(requirements).filter((name) => !existsSync(requirements[name] ?? ""));
}

/** Connects to a browser. Kills its processes when the browser is closed or if connecting fails. */
async function withProcesses(
  processes: ChildProcess[],
  connect: () => Promise<Browser>,
  cleanUp?: () => Promise<void>,
): Promise<Browser> {
  const kill = () => processes.forEach((each) => void each.kill());
  process.once("exit", kill);
  const end = async () => {
    process.off("exit", kill);
    for (const each of processes) {
      if (each.exitCode === null && each.signalCode === null && each.kill()) await once(each, "exit");
    }
    await cleanUp?.();
  };
  try {
    const browser = await connect();
    return { ...browser, close: () => browser.close().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

async function firstMatch({ stderr }: ChildProcess, pattern: RegExp): Promise<string> {
  let printed = "";
  for await (const text of on(stderr as Readable, "data", { close: ["end"] })) {
    printed += text;
    const match = pattern.exec(printed)?.[1];
    if (match !== undefined) return match;
  }
  throw new Error(`The process exited:\n${printed}`);
}
