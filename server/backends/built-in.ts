import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import pg from "pg";
import type { AdminAccess } from "../admin/admin-client.ts";
import { operatorsInDatabase } from "../admin/operator.ts";
import { createTokens } from "../api/access-token.ts";
import { createPipeline } from "../api/pipeline.ts";
import { createAuthTransaction } from "../auth/auth-env.ts";
import { createAuth } from "../auth/auth-routes.ts";
import { checkKeysMode, type Keys, readKeys, readOrCreateKeys } from "../auth/keys.ts";
import { PROVIDER } from "../auth/oidc/account.ts";
import { createEmailSender, trackUnsentEmails } from "../auth/send-email.ts";
import { cleanUpRegularly } from "../auth/store/cleanup.ts";
import { commandLine } from "../config/command-line.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import { showProgress } from "../config/progress.ts";
import { relyingParty } from "../config/relying-party.ts";
import type { Settings } from "../config/settings.ts";
import { origin } from "../config/settings-schema.ts";
import { IN_PROCESS } from "../http/connection.ts";
import type { Log } from "../http/log.ts";
import { type Database, DatabaseUnavailableError } from "../postgres/database.ts";
import { isUnavailable } from "../postgres/database-errors.ts";
import type { DiskCheck } from "../postgres/embedded/disk-check.ts";
import { fillSearch } from "../postgres/fill-search.ts";
import { editedMigrations, migrate, readMigrations } from "../postgres/migrations.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import { rebuildIndexesRegularly } from "../postgres/search-indexes.ts";
import { seed } from "../postgres/seed.ts";
import { ensureServingRole } from "../postgres/serving-role.ts";
import { readStatistics } from "../postgres/statistics.ts";
import { createReader } from "../rest/direct-reader.ts";
import { createRest } from "../rest/rest-routes.ts";
import { readSchemaCache } from "../rest/schema-cache.ts";
import { createStorage } from "../storage/storage-routes.ts";
import type { BackendApi, StartOptions } from "./types.ts";

const MAX_CONNECT_MS = 30_000;
const CONNECT_RETRY_MS = 100;

interface BuiltInDependencies extends StartOptions {
  settings: Settings;
  keys: Keys;
  database: Database;
  isDiskFull?: DiskCheck | undefined;
  /** Undefined if the site's login doesn't own the tables. */
  connectAsOwner?: (() => Promise<OwnerConnection>) | undefined;
  /** Whether the database's disk has room for so many bytes. */
  hasRoomFor?: (bytes: number) => Promise<boolean>;
}

/**
 * Serves the data of a database that is prepared (`prepareDatabase`). Throws DatabaseUnavailableError if the database
 * can't be reached within 30 seconds.
 */
export async function serveBuiltIn(dependencies: BuiltInDependencies): Promise<BackendApi> {
  const { settings, keys, database, events, log, print, isDiskFull, connectAsOwner } = dependencies;
  const { trustedProxies, picturesPerMember, passwordSignIn, singleSignOn } = settings;
  await waitForDatabase(database);
  const schemaCache = await readSchemaCache(database);
  const tokens = createTokens(keys.jwtSecret, warnAboutClock(log));
  const pipeline = createPipeline({ database, tokens, log, trustedProxies, isDiskFull });
  const unsentEmails = trackUnsentEmails(log);
  const cleanup = cleanUpRegularly(createAuthTransaction(database), log);
  const filling = fillSearch(database, log);
  const hasRoomFor = dependencies.hasRoomFor ?? (async () => true);
  const rebuilding = connectAsOwner && rebuildIndexesRegularly(connectAsOwner, hasRoomFor, log);
  const onWrite = () => void events.emit("write");

  const routes = new Hono();
  routes.route("/rest/v1", createRest({ pipeline, schemaCache, onWrite }));
  const sendEmail = createEmailSender(settings, log, print, (isSent) => void events.emit("email", isSent));
  const auth = createAuth({
    pipeline,
    linkKey: keys.jwtSecret,
    settings,
    sendEmail,
    sendLater: unsentEmails.sendLater,
    onWrite,
    onSignInFailed: (isLimited) => void events.emit("signInFailed", isLimited),
  });
  routes.route("/auth/v1", auth);
  routes.route("/storage/v1", createStorage({ pipeline, picturesPerMember }));

  const signInMethods = {
    password: passwordSignIn,
    passkeys: relyingParty(settings) !== undefined,
    providers: singleSignOn ? [{ id: PROVIDER, name: singleSignOn.name }] : [],
  };
  return {
    routes,
    data: createReader({ database, schemaCache, log }),
    published: { url: "", key: keys.anonKey, previewsLinks: true },
    signInMethods: () => signInMethods,
    protect: pipeline.protect,
    operators: operatorsInDatabase(database, tokens),
    adminAccess: async () => ({
      // This name is never resolved, because the requests stay in this process.
      url: "http://backend.internal",
      serviceKey: keys.serviceKey,
      ifUnreachable: "check the site's log",
      ifKeyRejected: "check the site's log",
      fetch: async (input, init) => routes.fetch(new Request(input, init), IN_PROCESS),
    }),
    joinMail: { sendEmail, sendLater: unsentEmails.sendLater },
    ready: database.ready,
    connections: database.connections,
    statistics: () => readStatistics(database, settings),
    async close(deadline) {
      await Promise.all([unsentEmails.wait(deadline), cleanup.stop(), filling.stop(), rebuilding?.stop()]);
      await database.close();
    },
  };
}

/**
 * Returns the address and the key with which commands such as `npm run member` reach the running site. Doesn't create
 * missing keys, because the running site would not know them. Throws OperatorError.
 */
export async function adminAccess(settings: Settings): Promise<AdminAccess> {
  const keys = await readKeys(settings);
  if (keys === undefined) {
    throw new OperatorError(
      `There are no keys in ${settings.dataDir}: start the site first, or set DATA_DIR to the site's folder.`,
    );
  }
  return {
    url: origin(settings.host, settings.port),
    serviceKey: keys.serviceKey,
    ifUnreachable: `start the site with ${commandLine("start")}, or set PORT and HOST to the site's values`,
    ifKeyRejected: "set DATA_DIR or AUTH_JWT_SECRET to the site's value",
  };
}

/** Warns once. */
function warnAboutClock(log: Log) {
  let isWarned = false;
  return (seconds: number) => {
    if (isWarned) return;
    isWarned = true;
    const reason = `This machine's clock is ${seconds} seconds behind the one that signed a token: synchronize the clocks. From 30 seconds on, members are signed out`;
    log.warn({ reason }, "clock.differs");
  };
}

/**
 * Waits up to 30 seconds while the serving login can't connect, for example because the database restarts during the
 * site's start. Requests fail sooner, because clients wait for them.
 */
async function waitForDatabase(database: Database): Promise<void> {
  const deadline = performance.now() + MAX_CONNECT_MS;
  const isConnectionError = (error: unknown) =>
    error instanceof DatabaseUnavailableError && isUnavailable(error.cause);
  const isDown = () =>
    database.read({ role: "anon" }, { text: "select 1" }).then(() => false, isConnectionError);
  while ((await isDown()) && performance.now() < deadline) await sleep(CONNECT_RETRY_MS);
}

/**
 * Reads the site's keys, or creates them on the first start. Logs a warning if other users of the machine can read
 * them. Throws OperatorError if the keys are invalid or can't be read or created.
 */
export async function prepareKeys(settings: Settings, log: Log): Promise<Keys> {
  const keys = await readOrCreateKeys(settings);
  await checkKeysMode(settings).catch((error) => log.warn({ reason: errorMessage(error) }, "keys.readable"));
  return keys;
}

export async function prepareDatabase(
  owner: pg.Client,
  url: string,
  demoContent: Settings["seed"],
  jwtSecret: string,
  log: Log,
) {
  let current = "the base";
  using progress = showProgress("Updating the database", () => current);
  const versions = await migrate(owner, undefined, (name) => {
    current = name;
  });
  progress.finish(`Updated the database with ${versions.length} migration(s) in ${progress.elapsed()}.`);
  if (versions.length > 0) log.info({ versions }, "migrations.applied");
  if (process.env["NODE_ENV"] === "development") await reportEditedMigrations(owner, log);
  const demo = await seed(owner, demoContent);
  return { connectionString: await ensureServingRole(owner, url, jwtSecret), demo };
}

/** A file that the database has run never runs again, so a developer's change of it would have no effect. */
async function reportEditedMigrations(owner: pg.Client, log: Log): Promise<void> {
  const files = await editedMigrations(owner, await readMigrations());
  if (files.length === 0) return;
  const reason =
    "the database has already run these files: to run them again, stop the server, delete DATA_DIR (./data by default) or empty the database, and start again";
  log.warn({ files, reason }, "migrations.edited");
}

/**
 * Converts a database error of `prepare` to an OperatorError, "The database [location] cannot be prepared: [reason].",
 * followed by `hint`.
 */
export async function explainFailure<T>(
  location: string,
  hint: string,
  prepare: () => Promise<T>,
): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`The database in ${location} cannot be prepared: ${error.message}.${hint}`);
  }
}
