import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../config/error-message.ts";
import { OperatorError } from "../../config/operator-error.ts";
import type { Log } from "../../http/log.ts";
import type { Account } from "./account.ts";
import { firstErrorLine, POSTGRES_ENVIRONMENT } from "./cluster.ts";
import { stopLeftover } from "./leftover.ts";

export interface Command {
  program: string;
  args: string[];
  account: Account | undefined;
  folder: string;
}

// If the previous server was killed, its PostgreSQL may still be exiting or even starting. Retry after these errors.
const TEMPORARY_ERRORS = /pre-existing shared memory block|lock file "[^"]+" already exists/;
const START_TIMEOUT_MS = 10_000;
const RETRY_MS = 250;
// PostgreSQL gets a lower CPU priority than the server, which must stay responsive while many statements run.
const NICENESS = "3";

/** Starts PostgreSQL, and restarts it whenever it exits unexpectedly. Throws OperatorError if the first start fails. */
export async function supervise(command: Command, log: Log) {
  let stopping = false;
  let child = await startWithRetries(command, log);
  let restarting: Promise<void> | undefined;
  watch();
  // Stop PostgreSQL even if this process exits without calling `stop`, for example after an uncaught exception.
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
    let logged = "";
    while (!stopping) {
      try {
        child = await start(command, log);
        log.info("postgres.restarted");
        return watch();
      } catch (error) {
        const reason = errorMessage(error);
        if (reason !== logged) log.error({ reason }, "postgres.start_failed");
        logged = reason;
        await sleep(RETRY_MS, undefined, { ref: false });
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

async function startWithRetries(command: Command, log: Log): Promise<ChildProcess> {
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await start(command, log);
    } catch (error) {
      if (!TEMPORARY_ERRORS.test(errorMessage(error)) || Date.now() > until) throw error;
      await stopLeftover(command.folder);
      await sleep(RETRY_MS);
    }
  }
}

function start({ program, args, account, folder }: Command, log: Log): Promise<ChildProcess> {
  // Use `detached`, so that Ctrl-C in a terminal stops only the server, which then shuts PostgreSQL down properly.
  const child = spawn("nice", ["-n", NICENESS, program, ...args], {
    ...account,
    cwd: folder,
    env: POSTGRES_ENVIRONMENT,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    let ready = false;
    createInterface(child.stderr).on("line", (line) => {
      if (ready) return log.info({ message: line }, "postgres.logged");
      output += `${line}\n`;
      ready = line.includes("database system is ready to accept connections");
      if (ready) resolve(child);
    });
    child.once("error", (error) =>
      reject(new OperatorError(`PostgreSQL could not be started: ${error.message}`)),
    );
    // Wait for `close` instead of `exit`: the error message is taken from the output, which is complete only then.
    child.once("close", () => {
      if (!ready) reject(new OperatorError(`PostgreSQL did not start: ${firstErrorLine(output)}`));
    });
  });
}
