/**
 * Removes libpq's variables (PGSSLMODE, PGOPTIONS, PGHOST and others) from this process's environment. They are meant for
 * other servers, but pg would apply them to the embedded database.
 */
export function ignoreLibpqEnvironment(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name];
}
