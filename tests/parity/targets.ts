import { randomBytes } from "node:crypto";
import { signKeys } from "../../server/auth/keys.ts";
import { readEnvironment, readSettings } from "../../server/config/settings.ts";
import { findInstalled, startExternalServer } from "../support/external-server.ts";
import { startShared } from "../support/process.ts";

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

/**
 * `npm run parity` tests the project at SUPABASE_URL. `npm test` tests Techfolio's built-in backend with the bundled
 * PostgreSQL, which the embedded database is too, and with the machine's.
 */
export const targets: [name: string, open: () => Promise<Project>][] =
  process.env["PARITY"] === "project"
    ? [toTarget(configuredProject())]
    : [
        [
          "the built-in backend on DATABASE_URL with the bundled PostgreSQL",
          () => startExternal({ isBundled: true }),
        ],
        ...(await installedTargets()),
      ];

async function installedTargets(): Promise<typeof targets> {
  const installed = await findInstalled();
  return installed === undefined
    ? []
    : [["the built-in backend on DATABASE_URL", () => startExternal({ isBundled: false })]];
}

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

/** Starts a site that logs in as its database's owner, who isn't a superuser. */
async function startExternal(options: { isBundled: boolean }): Promise<Project> {
  const server = await startExternalServer(options);
  await server.query("create role site_owner login createrole password 'x'");
  await server.query("create database site owner site_owner");
  const AUTH_JWT_SECRET = randomBytes(32).toString("hex");
  const site = await startShared({ DATABASE_URL: server.url("site_owner", "x", "site"), AUTH_JWT_SECRET });
  const { anonKey, serviceKey } = await signKeys(AUTH_JWT_SECRET);
  return {
    url: site.url,
    publishableKey: anonKey,
    secretKey: serviceKey,
    reuseIntervalMs: 0,
    async stop() {
      await site.stop();
      await server.stop();
    },
  };
}
