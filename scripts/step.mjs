// Runs programs as steps of a command: shows which one is running, and keeps their output in a log.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { root } from "./root.mjs";

const REDRAW_MS = 1_000;
const LOG_NAME = "setup.log";
const LAST_LINES = 20;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** The number of progress lines per step if the output isn't a terminal. */
const PARTS = 4;

const parent = process.ppid;
let log = "";

/**
 * Runs a program. If it fails, exits with a sentence: `explain` receives the output and returns the cause and the
 * remedy. Progress is on standard error, because programs read the standard output of some commands.
 *
 * @param {{ title: string, program: string, args: string[], env?: NodeJS.ProcessEnv, shell?: boolean }} step
 * @param {(output: string) => string} explain
 */
export async function runStep(step, explain) {
  const progress = showProgress(step.title, process.stderr);
  const { isSuccessful, output } = await runProgram(step);
  progress.end("");
  log += `${step.title}…\n${output}\n`;
  const file = writeLog();
  if (isSuccessful) return;
  console.error(explain(output));
  if (file === undefined) console.error(`\n${output.trimEnd().split("\n").slice(-LAST_LINES).join("\n")}`);
  else console.error(`The output of each step is in ${file}.`);
  process.exit(1);
}

/**
 * Runs a program in the repository, and resolves to its output without control sequences. `onLine` receives the lines
 * that it writes to the file descriptor 3. Exits if the user interrupts the command.
 *
 * @param {{ program: string, args: string[], env?: NodeJS.ProcessEnv, shell?: boolean, onLine?: (line: string) => void }} options
 */
export async function runProgram({ program, args, env, shell = false, onLine }) {
  const stdio = ["ignore", "pipe", "pipe", ...(onLine ? ["pipe"] : [])];
  const child = spawn(program, args, { cwd: root, env, shell, stdio });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  if (onLine) createInterface({ input: child.stdio[3] }).on("line", onLine);
  let stopSignal;
  const stop = (signal) => {
    stopSignal = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  // If npm is killed, the shell between npm and this process doesn't forward the signal.
  const timer = setInterval(() => process.ppid !== parent && stop("SIGTERM"), REDRAW_MS);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.once("close", resolve);
  });
  clearInterval(timer);
  for (const signal of SIGNALS) process.off(signal, stop);
  if (stopSignal !== undefined) process.exit(1);
  return { isSuccessful: code === 0, output: stripVTControlCharacters(output) };
}

/**
 * Shows a step's progress. A terminal has one line, with the elapsed time. Other outputs get a line at the beginning, and
 * further lines only for `advance` and for a result.
 *
 * @param {string} title
 * @param {NodeJS.WriteStream} stream
 */
export function showProgress(title, stream) {
  const isTerminal = stream.isTTY && process.env.TERM !== "dumb";
  const start = Date.now();
  const elapsed = () => duration(Date.now() - start);
  let state = "";
  let part = 0;
  const draw = (end = "") => stream.write(`\r\x1b[K${title}…${state && ` ${state},`} ${elapsed()}${end}`);
  if (isTerminal) draw();
  else stream.write(`${title}…\n`);
  const timer = isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    /** Shows how much is done. */
    advance(done, total) {
      state = `${done} of ${total}`;
      if (isTerminal || done === total) return;
      const reached = Math.floor((PARTS * done) / total);
      if (reached > part) stream.write(`  ${state}, ${elapsed()}\n`);
      part = reached;
    },
    end(result) {
      clearInterval(timer);
      state = result;
      if (isTerminal) draw("\n");
      else if (result) stream.write(`  ${result}, ${elapsed()}\n`);
    },
  };
}

/** Formats milliseconds for people, as in "4 min 12 s". */
export function duration(ms) {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns the log's path, or undefined if no folder is writable. Written after each step, because npm empties node_modules. */
function writeLog() {
  for (const findFolder of [cacheFolder, () => mkdtempSync(path.join(tmpdir(), "techfolio-"))]) {
    try {
      const file = path.join(findFolder(), LOG_NAME);
      writeFileSync(file, log);
      return file;
    } catch {
      // Try the next folder.
    }
  }
  return undefined;
}

function cacheFolder() {
  const folder = path.join(root, "node_modules/.cache/techfolio");
  mkdirSync(folder, { recursive: true });
  return folder;
}
