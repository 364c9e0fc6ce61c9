import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { checkKeysMode, readKeys } from "../auth/keys.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { openDatabase } from "../postgres/database.ts";
import { isUnavailable } from "../postgres/database-errors.ts";
import { pendingMigrations, readMigrations } from "../postgres/migrations.ts";
import { connect } from "../postgres/owner-connection.ts";
import { adminAccess, explainFailure, prepareDatabase, prepareKeys, serveBuiltIn } from "./built-in.ts";
import { CASE_LIMITED, inspectDatabase } from "./findings.ts";
import type { Backend } from "./types.ts";

const MIN_VERSION = 15;
/** As long as the embedded PostgreSQL has to start. */
const MAX_WAIT_MS = 10_000;
const RETRY_MS = 250;
const HINT = " The rights that its login needs are in docs/databases.md.";

export function postgresBackend(settings: Settings, url: string): Backend {
  return {
    location: "DATABASE_URL",
    async start({ events, log, print }) {
      const keys = await prepareKeys(settings, log);
      await using client = await waitForServer(url, print);
      const { connectionString, demo, owns } = await explainFailure("DATABASE_URL", HINT, async () => {
        const login = await readLogin(client);
        if (!login.foldsCase) {
          log.warn({ reason: CASE_LIMITED }, "database.case_limited");
        }
        if (!login.owns) return { connectionString: url, demo: undefined, owns: false };
        return {
          ...(await prepareDatabase(client, url, settings.seed ?? "none", keys.jwtSecret, log)),
          owns: true,
        };
      });
      const database = openDatabase({ connectionString, log });
      const api = await serveBuiltIn({
        settings,
        keys,
        database,
        events,
        log,
        print,
        connectAsOwner: owns ? () => connectToServer(url) : undefined,
      });
      return { ...api, demo };
    },
    async check() {
      const keys = await readKeys(settings);
      await checkKeysMode(settings);
      await using client = await connectToServer(url);
      const { version } = await readLogin(client);
      const findings = await inspectDatabase({
        client,
        jwtSecret: keys?.jwtSecret,
        isExternal: true,
        hasBackupsElsewhere: settings.hasBackupsElsewhere,
      });
      return [
        { topic: "data", isProblem: false, text: `DATABASE_URL connects to PostgreSQL ${version}.` },
        ...findings,
      ];
    },
    adminAccess: () => adminAccess(settings),
    connectAsOwner: () => connectToServer(url),
  };
}

async function connectToServer(url: string) {
  return connect({ connectionString: url }).catch((error: unknown) => {
    throw unusable(error);
  });
}

const unusable = (error: unknown) =>
  new OperatorError(`The server in DATABASE_URL cannot be used: ${errorMessage(error)}.`);

/** After a reboot, the database's machine may respond later than the site starts. */
async function waitForServer(url: string, print: (line: string) => void) {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect({ connectionString: url });
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw unusable(error);
      if (attempt === 1) print("Waiting for the server in DATABASE_URL…");
      await sleep(RETRY_MS);
    }
  }
}

interface Login {
  version: number;
  encoding: string;
  /** Whether `ilike`, which searches use, ignores case in all alphabets and not only in English letters. */
  foldsCase: boolean;
  /** Whether `I` is the capital of `i`. It isn't in a Turkish locale. */
  foldsEnglish: boolean;
  isStandby: boolean;
  name: string;
  /** Whether the login owns the tables or, if there are none yet, can create them. */
  owns: boolean;
  /** Whether the login can act as `authenticator`, the role that serves requests. */
  serves: boolean;
}

const DESCRIBE_LOGIN = `
  select current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding,
    'Ü' ilike 'ü' as "foldsCase",
    'I' ilike 'i' as "foldsEnglish",
    pg_is_in_recovery() as "isStandby",
    current_user::text as name,
    coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.profiles')),
      has_database_privilege(current_database(), 'create')) as owns,
    to_regclass('public.profiles') is not null
      and exists (select from pg_roles where rolname = 'authenticator' and pg_has_role(oid, 'usage')) as serves`;

/**
 * Throws OperatorError if the server is too old or a standby, if the encoding or the locale is unsuitable, if the login
 * has too few rights to serve the site, or if it can't apply a missing migration.
 */
async function readLogin(client: pg.Client): Promise<Login> {
  const [login] = (await client.query<Login>(DESCRIBE_LOGIN)).rows as [Login];
  const { version, encoding, foldsEnglish, isStandby, name, owns, serves } = login;
  if (version < MIN_VERSION) {
    throw new OperatorError(
      `The server in DATABASE_URL is PostgreSQL ${version}; Techfolio needs ${MIN_VERSION} or newer.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new OperatorError(
      `The database in DATABASE_URL has the encoding ${encoding}; Techfolio needs UTF8.`,
    );
  }
  if (!foldsEnglish) {
    throw new OperatorError(
      "In the locale of the database in DATABASE_URL, I is not the capital of i, so searches and email addresses would not match: create the database with a locale such as C.UTF-8.",
    );
  }
  if (isStandby) {
    throw new OperatorError(
      "The server in DATABASE_URL is a standby, which rejects writes: use the primary, or promote the standby.",
    );
  }
  if (owns) return login;
  if (!serves) {
    throw new OperatorError(
      `The login ${name} in DATABASE_URL can neither prepare nor serve the database (see docs/databases.md for the rights that it needs).`,
    );
  }
  const [missing] = await pendingMigrations(client, await readMigrations());
  if (missing === undefined) return login;
  throw new OperatorError(
    `The database in DATABASE_URL lacks the migration ${missing.version}, and its login ${name} cannot apply it: start once with the owner's login.`,
  );
}
