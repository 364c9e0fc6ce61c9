import * as v from "valibot";

export interface LeftOut {
  source: string;
  /** The rest of a sentence that starts with the source, e.g. "is empty". */
  reason: string;
}

/** The message is the reason why a file or an entry isn't imported. */
export class ReadError extends Error {}

/** Runs `work`. If it throws, adds the source and the reason to `leftOut`. */
export async function attempt(
  leftOut: LeftOut[],
  source: string,
  work: () => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = error instanceof ReadError ? message : `cannot be read: ${message.split("\n")[0]}`;
    leftOut.push({ source, reason });
  }
}

/** Validates a value. Throws ReadError with the message of the violated rule, or with `unreadable` for a wrong type. */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  unreadable = "cannot be read",
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  throw new ReadError(issues[0].kind === "validation" ? issues[0].message : unreadable);
}
