/**
 * The settings that the site's SQL and pg depend on. A database or a login can have other defaults (`alter database … set …`), and a
 * pooler in transaction mode loses the settings of a connection. Each transaction therefore sets them again.
 */
const SETTINGS = {
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  // Times are in UTC, so that clients that sort rows by time can compare the times as text.
  TimeZone: "UTC",
  bytea_output: "hex",
  extra_float_digits: "1",
  array_nulls: "on",
  // With `off`, a query that a policy would filter fails instead.
  row_security: "on",
  lock_timeout: "0",
  gin_fuzzy_search_limit: "0",
};

/** Keeps the pool's idle connections open. It applies between transactions, so it can't be limited to one. */
const KEEP_OPEN = "set_config('idle_session_timeout', '0', false)";

const setAll = (isLocal: boolean) =>
  Object.entries(SETTINGS).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);

/** Expressions for the first statement of a transaction. They contain no input. */
export const TRANSACTION_SETTINGS = [...setAll(true), KEEP_OPEN].join(", ");

/** The statement for a connection that isn't pooled. It also makes the connection's transactions writable. */
export const CONNECTION_SETTINGS = `select ${[
  ...setAll(false),
  KEEP_OPEN,
  "set_config('default_transaction_read_only', 'off', false)",
  "set_config('default_transaction_isolation', 'read committed', false)",
  "set_config('statement_timeout', '0', false)",
  "set_config('idle_in_transaction_session_timeout', '0', false)",
].join(", ")}`;
