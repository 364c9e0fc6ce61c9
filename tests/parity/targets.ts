import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { type Keys, signKeys } from "../../server/auth/keys.ts";
import { readEnvironment, readSettings } from "../../server/config/settings.ts";
import { newDataDir, readKeys } from "../support/data-dir.ts";
import { startExternalServer } from "../support/external-server.ts";
import { launchSite, type SiteProcess } from "../support/site-process.ts";

/** A backend that speaks the Supabase protocol. */
export interface Project {
  url: string;
  publishableKey: string;
  secretKey: string;
  /**
   * How long to wait until a refresh token from two refreshes ago must be rejected. Supabase accepts it for 10 seconds,
   * its reuse interval. The built-in backend rejects a token as soon as the token's successor has been used.
   */
  reuseIntervalMs: number;
  stop(): Promise<void>;
}

/** `npm run parity` tests the project at SUPABASE_URL, and `npm test` tests Techfolio's built-in backend. */
export const targets: [name: string, open: () => Promise<Project>][] =
  process.env["PARITY"] === "project"
    ? [toTarget(configuredProject())]
    : [
        ["the built-in backend on the embedded database", startEmbedded],
        ["the built-in backend on DATABASE_URL", () => startExternal({ isBundled: false })],
        [
          "the built-in backend on DATABASE_URL with the bundled PostgreSQL",
          () => startExternal({ isBundled: true }),
        ],
      ];

function toTarget(project: Project): (typeof targets)[number] {
  return [`the project at ${project.url}`, async () => project];
}

function configuredProject(): Project {
  const { supabase } = readSettings(readEnvironment());
  if (supabase?.secretKey === undefined) {
    throw new Error("SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY must be set");
  }
  const { url, publishableKey, secretKey } = supabase;
  return { url, publishableKey, secretKey, reuseIntervalMs: 11_000, stop: async () => undefined };
}

async function startEmbedded(): Promise<Project> {
  const dataDir = await newDataDir();
  const site = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  return builtIn(site, await readKeys(dataDir), () => rm(dataDir, { recursive: true, force: true }));
}

/** Starts a site that logs in as its database's owner, who isn't a superuser. */
async function startExternal(options: { isBundled: boolean }): Promise<Project> {
  const server = await startExternalServer(options);
  await server.query("create role site_owner login createrole password 'x'");
  await server.query("create database site owner site_owner");
  const AUTH_JWT_SECRET = randomBytes(32).toString("hex");
  const site = await launchSite({ DATABASE_URL: server.url("site_owner", "x", "site"), AUTH_JWT_SECRET });
  await site.running();
  return builtIn(site, await signKeys(AUTH_JWT_SECRET), server.stop);
}

/** Wraps a running site as a `Project`. `stop` ends the site and then calls `cleanUp`. */
function builtIn(
  { url, end }: Pick<SiteProcess, "url" | "end">,
  { anonKey, serviceKey }: Pick<Keys, "anonKey" | "serviceKey">,
  cleanUp: () => Promise<void>,
): Project {
  return {
    url,
    publishableKey: anonKey,
    secretKey: serviceKey,
    reuseIntervalMs: 0,
    async stop() {
      await end("SIGTERM");
      await cleanUp();
    },
  };
}
