import pg from "pg";

/** A connection string of a database that `npm run mutate -- sql` has changed. Tests then copy it. */
export const CHANGED_DATABASE = "CHANGED_DATABASE";

/** Creates a copy of a database on the same PostgreSQL. No client may be connected to the original. */
export async function copyDatabase(original: string) {
  const name = `copy_${crypto.randomUUID().replaceAll("-", "")}`;
  const address = new URL(original);
  const template = address.pathname.slice(1);
  address.pathname = "/postgres";
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await run(`create database ${name} template ${template}`);
  const copy = new URL(original);
  copy.pathname = `/${name}`;
  return {
    connectionString: copy.href,
    stop: () => run(`drop database ${name} with (force)`),
  };
}
