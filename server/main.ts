import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { chooseBackend } from "./backends/choose.ts";
import type { BackendEvents } from "./backends/types.ts";
import { commandLine } from "./config/command-line.ts";
import { OperatorError } from "./config/operator-error.ts";
import { readEnvironment, readSettings } from "./config/settings.ts";
import { origin } from "./config/settings-schema.ts";
import { listen } from "./http/listen.ts";
import { createSiteLog, type Log } from "./http/log.ts";

// By default, Docker kills a container ten seconds after SIGTERM, so the server exits before that. Requests and emails
// have 8 seconds to finish, and the database has the remaining time to stop.
const MAX_STOP_MS = 9_500;
const MAX_WORK_MS = 8_000;
/** Part of MAX_WORK_MS. deploy/Caddyfile checks `/healthz` every second, and waits up to two seconds for a response. */
const ANNOUNCE_MS = 3_000;

// Writing fails with EPIPE once the process that reads our output has exited. An unhandled `error` event would
// end the server.
for (const channel of [process.stdout, process.stderr]) channel.on("error", () => undefined);

/** The next steps are npm commands, which other launchers (systemd, Docker) don't use. */
const isStartedByNpm = process.env["npm_lifecycle_event"] !== undefined;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface RunningSite {
  log: Log;
  stop(reason: string): Promise<void>;
}

async function start(): Promise<RunningSite> {
  const settings = readSettings(readEnvironment());
  const log = createSiteLog(settings);
  // Bind the port first: if it is in use, startup fails before it touches any data.
  const listener = await listen(settings.host, settings.port, settings.trustedProxies, log);
  const backend = chooseBackend(settings);
  const events: BackendEvents = new EventEmitter();
  const [api, { createApp }] = await Promise.all([backend.start({ events, log, print }), import("./app.ts")]);
  const app = await createApp(settings, api, events, log);
  listener.serve(app.fetch);
  const lines = [`Techfolio is running at ${origin(settings.host, settings.port)}`];
  const { demo } = api;
  if (demo !== undefined) lines.push(`Sign in as ${demo.email} / ${demo.password}`);
  if (api.isNew && isStartedByNpm) lines.push("", ...nextSteps(backend.location));
  print(lines.join("\n"));
  return {
    log,
    async stop(reason) {
      const deadline = performance.now() + MAX_WORK_MS;
      // A proxy can't repeat a request with a body after this process has closed its port. Let it switch processes first.
      if (reason === "SIGTERM" && settings.trustedProxies > 0) {
        app.announceStop();
        await sleep(ANNOUNCE_MS);
      }
      await listener.close(deadline - performance.now());
      await api.close(deadline);
    },
  };
}

function nextSteps(dataLocation: string): string[] {
  return [
    `Add a member:  ${commandLine("member", "add --email E")}    (in a second terminal)`,
    `Your data:     ${dataLocation}`,
    `Stop:          Ctrl+C. Start again with ${commandLine("start")}; ${commandLine("doctor")} checks the site.`,
  ];
}

function stopRequested(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
    process.on("disconnect", () => resolve("The launcher exited"));
  });
}

try {
  const stopReason = stopRequested();
  // Schedule the forced exit before calling `start`, so that a signal also ends a startup that is stuck.
  stopReason.then(() => setTimeout(() => process.exit(1), MAX_STOP_MS).unref());
  const { log, stop } = await start();
  const reason = await stopReason;
  log.info({ reason }, "server.stopping");
  await stop(reason);
  log.info("server.stopped");
  process.exit(0);
} catch (error) {
  const isExpected = error instanceof OperatorError;
  process.stderr.write(
    `${isExpected ? error.message : `Techfolio stopped on an unexpected error: ${inspect(error)}`}\n`,
  );
  process.exit(1);
}
