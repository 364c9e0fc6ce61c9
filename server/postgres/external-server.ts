import type pg from "pg";
import { errorMessage } from "../config/error-message.ts";
import { StartError } from "../config/start-error.ts";
import { pending, readMigrations } from "./migrations.ts";
import { connect } from "./owner-connection.ts";

const OLDEST_VERSION = 15;

export interface Login {
  version: number;
  encoding: string;
  /** Whether `ilike`, with which the lists are searched, knows the case of all letters. */
  foldsCase: boolean;
  name: string;
  owns: boolean;
  serves: boolean;
}

const DESCRIBE_LOGIN = `
  select current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding,
    'Ü' ilike 'ü' as "foldsCase",
    current_user::text as name,
    coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('public.profiles')), true)
      as owns,
    exists (select from pg_roles where rolname = 'authenticator' and pg_has_role(oid, 'usage')) as serves`;

export async function connectToServer(url: string): Promise<pg.Client> {
  return connect({ connectionString: url }).catch((error: unknown) => {
    throw new StartError(`The server of DATABASE_URL cannot be used: ${explain(error)}.`);
  });
}

/** For a host with several addresses Node throws one error around the errors of each. */
function explain(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return explain(error.errors[0]);
  return errorMessage(error);
}

export async function inspect(client: pg.Client): Promise<Login> {
  const login = (await client.query<Login>(DESCRIBE_LOGIN)).rows[0];
  if (login === undefined) throw new Error("A select without a table returned no row");
  if (login.version < OLDEST_VERSION) {
    throw new StartError(
      `The server of DATABASE_URL is PostgreSQL ${login.version}; Techfolio needs ${OLDEST_VERSION} or newer.`,
    );
  }
  if (login.encoding !== "UTF8") {
    throw new StartError(
      `The database of DATABASE_URL has the encoding ${login.encoding}; Techfolio needs UTF8.`,
    );
  }
  return login;
}

export async function checkServing(client: pg.Client, login: Login): Promise<void> {
  if (!login.serves) {
    throw new StartError(
      `The login ${login.name} of DATABASE_URL neither owns the tables nor belongs to the role authenticator: grant it, or use the owner's login.`,
    );
  }
  const missing = await pending(client, await readMigrations());
  if (missing.length > 0) {
    throw new StartError(
      `The database of DATABASE_URL lacks the migration ${missing[0]?.version}, and its login ${login.name} may not apply it: start once with the owner's login.`,
    );
  }
}
