import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** Maps the name of each required Debian package to a file that it installs. */
const REQUIREMENTS = {
  orca: "/usr/bin/orca",
  "firefox-esr": "/usr/bin/firefox-esr",
  xvfb: "/usr/bin/Xvfb",
  dbus: "/usr/bin/dbus-daemon",
  "at-spi2-core": "/usr/libexec/at-spi-bus-launcher",
  xdotool: "/usr/bin/xdotool",
  openbox: "/usr/bin/openbox",
};

// Firefox must not cover the page with its own questions.
const PREFERENCES = {
  "browser.aboutwelcome.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.translations.enable": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "signon.rememberSignons": false,
  "termsofuse.bypassNotification": true,
};

const TIMEOUT_MS = 60_000;
// Orca has finished if it has been silent for this time.
const QUIET_MS = 700;
// Orca says nothing about some keys.
const ANSWER_MS = 10_000;
const MAX_TABS = 60;
const MAX_LINES = 40;

export function missingPackages(): string[] {
  return Object.entries(REQUIREMENTS).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
}

export interface ScreenReader {
  /** 2 for 200 %. */
  readonly zoom: number;
  /** The home folder, which a file dialog shows first. */
  readonly home: string;
  /** Opens the URL through the browser's address bar. Resolves when Orca says that the page with this title has loaded. */
  open(url: string, title: string): Promise<void>;
  /** Presses a key by xdotool's name, such as `shift+Tab`. */
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses Tab, or another key, until Orca says the text. */
  find(text: string, key?: string): Promise<void>;
  /** Waits until Orca has said all texts, in any order, since the last key. Returns what it has said since then. */
  hears(...texts: string[]): Promise<string[]>;
  /**
   * Asks Orca where the reader is, then reads on with Down and `h`. After each key, Orca must say the text at its place
   * in the list. Without a text, it must say anything.
   */
  readsOn(position?: string, below?: string, heading?: string): Promise<void>;
  /** Reads on with Down until Orca says the text. Returns everything that it has said. */
  readsUntil(text: string): Promise<string[]>;
  /** Each key with what Orca has said after it, one line a key. */
  transcript(): string[];
  close(): Promise<void>;
}

/** Starts Firefox and Orca on their own hidden display and message bus. Only the keyboard uses the page. */
export async function startScreenReader(zoom = 1): Promise<ScreenReader> {
  const home = await mkdtemp(path.join(tmpdir(), "techfolio-speech-"));
  const running: ChildProcess[] = [];
  const kill = () => running.forEach(killGroup);
  process.once("exit", kill);
  const close = async () => {
    process.off("exit", kill);
    const ended = running.filter(isRunning).map((each) => once(each, "exit"));
    kill();
    await Promise.all(ended);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await start(home, running, zoom)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  home: string,
  running: ChildProcess[],
  zoom: number,
): Promise<Omit<ScreenReader, "close">> {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LANG: "C.UTF-8",
    GDK_BACKEND: "x11",
    GNOME_ACCESSIBILITY: "1",
  };
  const launch = (program: string, ...args: string[]) => {
    // In a group of its own, which contains the processes that it starts.
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    running.push(child);
    return child;
  };
  const profile = path.join(home, "profile");
  const orcaFolder = path.join(home, ".local/share/orca");
  await Promise.all([profile, orcaFolder].map((folder) => mkdir(folder, { recursive: true })));
  const allPreferences = { ...PREFERENCES, "layout.css.devPixelsPerPx": String(zoom) };
  const preferences = Object.entries(allPreferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  );
  await writeFile(path.join(profile, "user.js"), preferences.join(""));
  const customizations = "orca-customizations.py";
  await copyFile(path.join(import.meta.dirname, customizations), path.join(orcaFolder, customizations));

  const screen = ["-screen", "0", "1280x1000x24", "-nolisten", "tcp"];
  env["DISPLAY"] = `:${await firstLine(launch("Xvfb", "-displayfd", "1", ...screen))}`;
  const bus = launch("dbus-daemon", "--session", "--nofork", "--print-address");
  env["DBUS_SESSION_BUS_ADDRESS"] = await firstLine(bus);
  // The message bus starts the accessibility bus for the first program that asks for its address.
  const target = ["--dest=org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"];
  spawnSync("dbus-send", ["--session", "--print-reply", ...target], { env, timeout: TIMEOUT_MS });
  launch("openbox");

  const spoken: string[] = [];
  let spokenAt = performance.now();
  const orca = launch("orca", "--replace");
  createInterface({ input: orca.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const [, text] = /^"SPEECH OUTPUT: '(.*)'( voice=\w+| \{.*\})?"$/.exec(line) ?? [];
    if (text === undefined) return;
    spoken.push(JSON.parse(`"${text}"`));
    spokenAt = performance.now();
  });

  let from = 0;
  let lastKeys = "";
  const lines: string[] = [];
  const lastLine = () => `${lastKeys}: ${spoken.slice(from).join(" | ") || "silence"}`;
  async function hears(...texts: string[]): Promise<string[]> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const heard = spoken.slice(from);
      const missing = texts.filter((text) => !heard.some((utterance) => utterance.includes(text)));
      if (missing.length === 0) return heard;
      if (performance.now() > deadline) {
        throw new Error(`Orca did not say ${JSON.stringify(missing)}. It said ${JSON.stringify(heard)}.`);
      }
      await sleep(50);
    }
  }
  async function isQuiet(): Promise<void> {
    while (performance.now() - spokenAt < QUIET_MS) await sleep(50);
  }
  async function isAnswered(): Promise<void> {
    const deadline = performance.now() + ANSWER_MS;
    while (spoken.length === from && performance.now() < deadline) await sleep(50);
    await isQuiet();
  }
  async function xdotool(...args: string[]): Promise<void> {
    await isQuiet();
    if (lastKeys) lines.push(lastLine());
    lastKeys = args.at(-1) ?? "";
    from = spoken.length;
    spokenAt = performance.now();
    const { status, stderr } = spawnSync("xdotool", args, { env, encoding: "utf8", timeout: TIMEOUT_MS });
    if (status !== 0) throw new Error(`xdotool ${args.join(" ")}: ${stderr}`);
  }
  const press = (key: string) => xdotool("key", key);
  async function pressed(key: string): Promise<string[]> {
    await press(key);
    await isAnswered();
    return spoken.slice(from);
  }
  const type = (text: string) => xdotool("type", "--delay", "40", "--", text);

  await hears("Screen reader on");
  launch(
    "firefox-esr",
    "--no-remote",
    "--profile",
    profile,
    "--width",
    "1200",
    "--height",
    "900",
    "about:blank",
  );
  await xdotool("search", "--sync", "--onlyvisible", "--class", "firefox");
  await isAnswered();
  return {
    press,
    type,
    hears,
    async open(url, title) {
      await press("ctrl+l");
      await hears("enter address");
      await type(url);
      await press("Return");
      await hears(`Finished loading ${title}`);
    },
    zoom,
    home,
    transcript: () => [...lines, lastLine()],
    async readsUntil(text) {
      const heard: string[] = [];
      while (heard.length < MAX_LINES) {
        const line = await pressed("Down");
        heard.push(...line);
        if (line.some((utterance) => utterance.includes(text))) return heard;
        if (line.length === 0) break;
      }
      throw new Error(`Orca did not say "${text}" while it read on. It said ${JSON.stringify(heard)}.`);
    },
    async readsOn(...texts) {
      for (const [index, key] of ["KP_Enter", "Down", "h"].entries()) {
        const text = texts[index] ?? "";
        const heard = await pressed(key);
        if (heard.some((utterance) => utterance.includes(text))) continue;
        throw new Error(`After ${key}, Orca did not say "${text}". It said ${JSON.stringify(heard)}.`);
      }
    },
    async find(text, key = "Tab") {
      for (let presses = 0; presses < MAX_TABS; presses++) {
        if ((await pressed(key)).some((utterance) => utterance.includes(text))) return;
      }
      throw new Error(`Orca did not say "${text}" after ${MAX_TABS} times ${key}`);
    },
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) return line;
  throw new Error("A program of the desktop exited before it printed its address.");
}
