import { availableParallelism } from "node:os";
import { createQueue } from "../http/queue.ts";
import { type Database, DatabaseUnavailableError } from "../postgres/database.ts";
import type { Guard } from "./auth-env.ts";
import { GoTrueError } from "./auth-error.ts";
import { textField } from "./json-body.ts";

/** bcrypt takes libuv's threads, which also read files: leave some. */
const MAX_AT_ONCE = Math.min(4, availableParallelism() + 1);
const MAX_WAITING = 64;
const MAX_WAIT_MS = 5_000;

/** Requests that bring a password wait here for their turn; the body has been read by then. */
export function limitHashing(database: Database): Guard {
  const queue = createQueue(
    { atOnce: MAX_AT_ONCE, mostWaiting: MAX_WAITING, longestWait: MAX_WAIT_MS },
    () => (database.isSilent() ? new DatabaseUnavailableError("The database is silent") : tooMany()),
  );
  return (c, next) => (textField(c.var.body, "password") === "" ? next() : queue.run(next));
}

function tooMany(): GoTrueError {
  const message = "Too many sign-ins at this moment, try again shortly";
  return new GoTrueError(429, "over_request_rate_limit", message, { retryAfterSeconds: 2 });
}
