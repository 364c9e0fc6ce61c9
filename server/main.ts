import { inspect } from "node:util";
import { connectThroughProxy } from "./config/forward-proxy.ts";
import { OperatorError } from "./config/operator-error.ts";
import { readEnvironment, readSettings } from "./config/settings.ts";
import { createSiteLog } from "./http/log.ts";
import { startSite } from "./site.ts";

// By default, Docker kills a container ten seconds after SIGTERM, so the server exits before that. Requests and emails
// have 8 seconds to finish, and the database has the remaining time to stop.
const MAX_STOP_MS = 9_500;

// Writing fails with EPIPE once the process that reads our output has exited. An unhandled `error` event would
// end the server.
for (const channel of [process.stdout, process.stderr]) channel.on("error", () => undefined);

const print = (line: string) => process.stdout.write(`${line}\n`);

function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
    process.on("disconnect", () => resolve("The launcher exited"));
  });
}

try {
  const stopReason = stopRequested();
  // Schedule the forced exit before starting the site, so that a signal also ends a startup that is stuck.
  stopReason.then(() => setTimeout(() => process.exit(1), MAX_STOP_MS).unref());
  connectThroughProxy(process.env);
  const settings = readSettings(readEnvironment());
  const log = createSiteLog(settings);
  const site = await startSite(settings, log, print);
  const reason = await stopReason;
  log.info({ reason }, "server.stopping");
  await site.stop(reason);
  log.info("server.stopped");
  process.exit(0);
} catch (error) {
  const isExpected = error instanceof OperatorError;
  process.stderr.write(
    `${isExpected ? error.message : `Techfolio stopped on an unexpected error: ${inspect(error)}`}\n`,
  );
  process.exit(1);
}
