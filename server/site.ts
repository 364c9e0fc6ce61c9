import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseBackend } from "./backends/choose.ts";
import type { BackendEvents } from "./backends/types.ts";
import { commandLine } from "./config/command-line.ts";
import type { Settings } from "./config/settings.ts";
import { origin } from "./config/settings-schema.ts";
import { listen } from "./http/listen.ts";
import type { Log } from "./http/log.ts";

const MAX_WORK_MS = 8_000;
/** Part of MAX_WORK_MS. deploy/Caddyfile checks `/healthz` every second, and waits up to two seconds for a response. */
const ANNOUNCE_MS = 3_000;

/** The next steps are npm commands, which other launchers (systemd, Docker) don't use. */
const isStartedByNpm = process.env["npm_lifecycle_event"] !== undefined;

export interface RunningSite {
  /** Waits at most 8 seconds for requests and emails, and then for the database to stop. */
  stop(reason: string): Promise<void>;
}

/** Resolves when the site serves requests, and has printed its address. Throws OperatorError. */
export async function startSite(
  settings: Settings,
  log: Log,
  print: (line: string) => void,
): Promise<RunningSite> {
  // Bind the port first: if it is in use, startup fails before it touches any data.
  const listener = await listen(settings.host, settings.port, settings.trustedProxies, log);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => listener.close(0));
  const backend = chooseBackend(settings);
  const events: BackendEvents = new EventEmitter();
  const [api, { createApp }] = await Promise.all([backend.start({ events, log, print }), import("./app.ts")]);
  const app = await createApp(settings, api, events, log);
  listener.serve(app.fetch);
  app.start();
  const lines = [`Techfolio is running at ${origin(settings.host, settings.port)}`];
  const { demo } = api;
  if (demo !== undefined) lines.push(`Sign in as ${demo.email} / ${demo.password}`);
  if (api.isNew && isStartedByNpm) lines.push("", ...nextSteps(backend.location));
  print(lines.join("\n"));
  opened.move();
  return {
    async stop(reason) {
      const deadline = performance.now() + MAX_WORK_MS;
      // A proxy can't repeat a request with a body after this process has closed its port. Let it switch processes first.
      if (reason === "SIGTERM" && settings.trustedProxies > 0) {
        app.announceStop();
        listener.endConnections();
        await sleep(ANNOUNCE_MS);
      }
      await listener.close(deadline - performance.now());
      await app.stop();
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
