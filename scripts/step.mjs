// Runs the steps before a start: shows which one is running, and keeps their output in a log file.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./root.mjs";

const REDRAW_MS = 1_000;
const LOG_NAME = "setup.log";
const LAST_LINES = 20;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

let log = "";

/**
 * Runs a program and resolves to its output if it succeeds. Otherwise, exits with a sentence: `explain` receives the
 * output and returns the cause and the remedy. Progress is on standard error, because programs read the standard output
 * of some commands.
 *
 * @param {{ title: string, program: string, args: string[], env?: NodeJS.ProcessEnv, shell?: boolean }} step
 * @param {(output: string) => string} explain
 */
export async function runStep(step, explain) {
  const endProgress = showProgress(step.title);
  const { isSuccessful, output } = await runProgram(step);
  endProgress(isSuccessful);
  log += `${step.title}…\n${stripVTControlCharacters(output)}\n`;
  const file = writeLog();
  if (isSuccessful) return output;
  console.error(explain(output));
  if (file === undefined) console.error(`\n${output.trimEnd().split("\n").slice(-LAST_LINES).join("\n")}`);
  else console.error(`The output of each step is in ${file}.`);
  return process.exit(1);
}

async function runProgram({ program, args, env, shell = false }) {
  const child = spawn(program, args, { cwd: root, env, shell, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  let stopSignal;
  const stop = (signal) => {
    stopSignal = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.once("close", resolve);
  });
  for (const signal of SIGNALS) process.off(signal, stop);
  if (stopSignal !== undefined) process.exit(1);
  return { isSuccessful: code === 0, output };
}

/** A terminal shows one line with the elapsed time. Other outputs get one line when the step begins. */
function showProgress(title) {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === "dumb") {
    stderr.write(`${title}…\n`);
    return () => undefined;
  }
  const start = Date.now();
  const draw = (end) => stderr.write(`\r\x1b[K${title}… ${Math.round((Date.now() - start) / 1_000)} s${end}`);
  draw("");
  const timer = setInterval(draw, REDRAW_MS, "");
  return (isSuccessful) => {
    clearInterval(timer);
    draw(isSuccessful ? "\n" : ", failed\n");
  };
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
