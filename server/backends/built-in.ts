import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { tryGetContext } from "hono/context-storage";
import pg from "pg";
import { createDataClient } from "../../common/data/client.ts";
import type { Administration } from "../admin/admin-client.ts";
import { operatorInDatabase } from "../admin/operator.ts";
import { createTokens } from "../api/access-token.ts";
import { createPipeline } from "../api/pipeline.ts";
import { createAuth } from "../auth/auth-routes.ts";
import { checkKeysMode, type Keys, loadKeys, readKeys } from "../auth/keys.ts";
import { createMail, createOutbox, type Outbox } from "../auth/mail.ts";
import { PROVIDER } from "../auth/oidc/account.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { origin } from "../config/settings-schema.ts";
import type { InProcess } from "../http/connection.ts";
import type { Log } from "../http/log.ts";
import { type Database, DatabaseUnavailableError } from "../postgres/database.ts";
import { isUnavailable } from "../postgres/database-errors.ts";
import type { DiskCheck } from "../postgres/embedded/disk-check.ts";
import { migrate } from "../postgres/migrations.ts";
import { seed } from "../postgres/seed.ts";
import { ensureServingRole } from "../postgres/serving-role.ts";
import { readStatistics } from "../postgres/statistics.ts";
import { createRest } from "../rest/rest-routes.ts";
import { createStorage } from "../storage/storage-routes.ts";
import type { BackendApi, BackendEvents, RunningBackend } from "./types.ts";

const MAX_CONNECT_MS = 30_000;
const CONNECT_RETRY_MS = 100;

interface BuiltInParts {
  settings: Settings;
  keys: Keys;
  database: Database;
  log: Log;
  print(text: string): void;
  isDiskFull?: DiskCheck | undefined;
}

export function serveBuiltIn(parts: BuiltInParts): RunningBackend {
  const { settings, keys, database, log } = parts;
  const { passwordSignIn, singleSignOn } = settings;
  const providers = singleSignOn ? [{ id: PROVIDER, name: singleSignOn.name }] : [];
  const outbox = createOutbox(log);
  return {
    published: { url: "", key: keys.anonKey, previewsLinks: true },
    signInMethods: () => ({ password: passwordSignIn, providers }),
    createApi: (events) => createApi({ ...parts, ...events, ...outbox }),
    ready: database.ready,
    connections: database.connections,
    statistics: () =>
      readStatistics(database, settings.databaseUrl === undefined ? settings.dataDir : undefined),
    async close(deadline) {
      await outbox.finish(deadline);
      await database.close();
    },
  };
}

/**
 * Returns the address and the key with which commands such as `npm run member` reach the running site. Doesn't create
 * missing keys, because the running site would not know them. Throws OperatorError.
 */
export async function administration(settings: Settings): Promise<Administration> {
  const keys = await readKeys(settings);
  if (keys === undefined) {
    throw new OperatorError(
      `There are no keys in ${settings.dataDir}: start the site first, or set DATA_DIR to the site's folder.`,
    );
  }
  return {
    url: origin(settings.host, settings.port),
    serviceKey: keys.serviceKey,
    ifUnreachable: "start the site with npm start, or set PORT and HOST to the site's values",
    ifKeyRejected: "set DATA_DIR or AUTH_JWT_SECRET to the site's value",
  };
}

async function createApi(parts: BuiltInParts & BackendEvents & Outbox): Promise<BackendApi> {
  const { settings, keys, database, log, print, isDiskFull, mailLater, onWrite, onSignInFailed, onMail } =
    parts;
  const { trustedProxies, picturesPerMember } = settings;
  await waitForDatabase(database);
  const tokens = createTokens(keys.jwtSecret, warnAboutClock(log));
  const sendMail = createMail(settings, log, print, onMail);
  const pipeline = createPipeline({ database, tokens, log, trustedProxies, isDiskFull });
  const api = new Hono();
  api.use("/rest/v1/*", async (c, next) => {
    const { requestId, reportFailure }: Partial<InProcess> = c.env ?? {};
    if (requestId !== undefined) c.set("requestId", requestId);
    if (reportFailure !== undefined) c.set("reportFailure", reportFailure);
    await next();
  });
  api.route("/rest/v1", await createRest({ pipeline, onWrite }));
  const auth = {
    pipeline,
    linkSecret: keys.jwtSecret,
    settings,
    sendMail,
    mailLater,
    onWrite,
    onSignInFailed,
  };
  api.route("/auth/v1", createAuth(auth));
  api.route("/storage/v1", createStorage({ pipeline, picturesPerMember }));
  const call: typeof fetch = async (input, init) => {
    const { requestId, reportFailure } = tryGetContext()?.var ?? {};
    const env: InProcess = { inProcess: true, requestId, reportFailure };
    return api.fetch(new Request(input, init), env);
  };
  // The name `backend.internal` is never resolved, because page loaders call the API in process.
  const backend = { url: "http://backend.internal", key: keys.anonKey };
  const administration = async () => ({
    url: backend.url,
    serviceKey: keys.serviceKey,
    ifUnreachable: "check the site's log",
    ifKeyRejected: "check the site's log",
    fetch: call,
  });
  return {
    api,
    data: createDataClient(backend, call, false),
    identifyOperator: operatorInDatabase(database, tokens),
    administration,
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
export async function loadSiteKeys(settings: Settings, log: Log): Promise<Keys> {
  const keys = await loadKeys(settings);
  await checkKeysMode(settings).catch((error) => log.warn({ reason: errorMessage(error) }, "keys.readable"));
  return keys;
}

export async function prepareDatabase(
  owner: pg.Client,
  url: string,
  wanted: Settings["seed"],
  jwtSecret: string,
  log: Log,
) {
  const versions = await migrate(owner);
  if (versions.length > 0) log.info({ versions }, "migrations.applied");
  const demo = await seed(owner, wanted);
  return { connectionString: await ensureServingRole(owner, url, jwtSecret), demo };
}

/** Converts a database error to an OperatorError with the message "The database [place] cannot be prepared: [reason]." */
export async function preparing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new OperatorError(`The database ${place} cannot be prepared: ${error.message}.`);
  }
}
