import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";
import type { Account } from "./account.ts";
import { complaint, environment } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";

export interface Command {
  program: string;
  args: string[];
  account: Account | undefined;
  folder: string;
}

// A killed server's PostgreSQL may keep its shared memory for a moment, or may be about to write its process id.
const MAY_PASS = /pre-existing shared memory block|lock file "[^"]+" already exists/;
const START_PATIENCE_MS = 10_000;
const PAUSE_MS = 250;
// Lower priority than the server, which must stay responsive while ten statements run.
const NICENESS = "3";

/** Restarts PostgreSQL whenever it exits unexpectedly. Throws OperatorError if the first start fails. */
export async function supervise(command: Command, log: Log) {
  let stopping = false;
  let child = await startPatiently(command, log);
  let restarting: Promise<void> | undefined;
  watch();
  // Stop PostgreSQL even if this process exits unexpectedly.
  const onExit = () => child.kill("SIGINT");
  process.once("exit", onExit);

  function watch() {
    child.once("exit", (code, signal) => {
      if (stopping) return;
      log.error({ code, signal }, "postgres.ended");
      restarting = restart();
    });
  }

  async function restart() {
    while (!stopping) {
      try {
        child = await start(command, log);
        log.info("postgres.restarted");
        return watch();
      } catch (error) {
        log.error({ reason: errorMessage(error) }, "postgres.start_failed");
        await sleep(PAUSE_MS, undefined, { ref: false });
      }
    }
  }

  return {
    async stop(): Promise<void> {
      stopping = true;
      await restarting;
      process.off("exit", onExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function startPatiently(command: Command, log: Log): Promise<ChildProcess> {
  const until = Date.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      return await start(command, log);
    } catch (error) {
      if (!MAY_PASS.test(errorMessage(error)) || Date.now() > until) throw error;
      await stopLeftover(command.folder);
      await sleep(PAUSE_MS);
    }
  }
}

function start({ program, args, account, folder }: Command, log: Log): Promise<ChildProcess> {
  // In its own session, so that Ctrl-C in a terminal reaches only the server, which stops PostgreSQL in order.
  const child = spawn("nice", ["-n", NICENESS, program, ...args], {
    ...account,
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let said = "";
    let ready = false;
    createInterface(child.stderr).on("line", (line) => {
      if (ready) return log.info({ message: line }, "postgres.logged");
      said += `${line}\n`;
      ready = line.includes("database system is ready to accept connections");
      if (ready) resolve(child);
    });
    child.once("error", (error) =>
      reject(new OperatorError(`PostgreSQL could not be started: ${error.message}`)),
    );
    // `close` rather than `exit`, to receive all of its output.
    child.once("close", () => {
      if (!ready) reject(new OperatorError(`PostgreSQL did not start: ${complaint(said)}`));
    });
  });
}
