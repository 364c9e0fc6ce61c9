import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../config/error-message.ts";
import { StartError } from "../../config/start-error.ts";
import type { Log } from "../../http/log.ts";
import type { Command } from "./account.ts";
import { complaint, environment } from "./cluster.ts";

/** A program that is kept running until it is told to stop. */
export interface Supervised {
  stop(): Promise<void>;
}

// What is left of a killed server may hold its shared memory for a moment.
const mayPass = /pre-existing shared memory block|lock file "[^"]+" already exists/;
const startPatience = 10_000;
const longestPause = 1_000;
// Enough to be felt (`nice`), too little to starve PostgreSQL where something else keeps the machine busy.
const behind = 3;

/**
 * Takes how to run PostgreSQL and its working directory, starts it and returns once it accepts connections.
 * When it ends by itself it is started again. Throws StartError when it cannot be started the first time.
 */
export async function supervise(command: Command, folder: string, log: Log): Promise<Supervised> {
  let stopping = false;
  let child = await startPatiently(command, folder, log);
  let restarting: Promise<void> | undefined;
  watch();
  // An exit that nobody planned (a bug, a failed assertion) still takes PostgreSQL along.
  const onExit = () => child.kill("SIGINT");
  process.once("exit", onExit);

  function watch() {
    child.once("exit", (code, signal) => {
      if (stopping) return;
      log.error("postgres ended", { code, signal });
      restarting = restart();
    });
  }

  async function restart() {
    for (let pause = 100; !stopping; pause = Math.min(pause * 2, longestPause)) {
      try {
        child = await start(command, folder, log);
        log.info("postgres restarted");
        watch();
        return;
      } catch (error) {
        log.error("postgres does not start", { message: errorMessage(error) });
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  return {
    async stop() {
      stopping = true;
      await restarting;
      process.off("exit", onExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      // Fast shutdown: open transactions are rolled back, everything committed is written.
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function startPatiently(command: Command, folder: string, log: Log): Promise<ChildProcess> {
  const until = Date.now() + startPatience;
  for (;;) {
    try {
      return await start(command, folder, log);
    } catch (error) {
      if (!(error instanceof StartError) || !mayPass.test(error.message) || Date.now() > until) throw error;
      await sleep(100);
    }
  }
}

/**
 * Lets others go before a process where they compete for the processor: ten statements at once must not keep the
 * server itself from telling everybody else to come again.
 */
function stepBack(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, behind);
  } catch {
    // It has ended already, which says its reason itself.
  }
}

function start({ program, args, options }: Command, folder: string, log: Log): Promise<ChildProcess> {
  // In a session of its own, so that Ctrl-C in a terminal reaches the server alone, which stops it in order.
  const child = spawn(program, args, {
    ...options,
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  stepBack(child);
  return new Promise((resolve, reject) => {
    let said = "";
    let ready = false;
    createInterface(child.stderr).on("line", (line) => {
      if (ready) return log.info("postgres", { message: line });
      said += `${line}\n`;
      ready = line.includes("database system is ready to accept connections");
      if (ready) resolve(child);
    });
    child.once("error", (error) =>
      reject(new StartError(`PostgreSQL could not be started: ${error.message}`)),
    );
    // 'close' and not 'exit': its last words must have arrived.
    child.once("close", () => {
      if (!ready) reject(new StartError(`PostgreSQL did not start: ${complaint(said)}`));
    });
  });
}
