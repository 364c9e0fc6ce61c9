import * as v from "valibot";

export interface LeftOut {
  source: string;
  /** Continues a sentence that begins with the source. */
  reason: string;
}

export class ReadError extends Error {}

/** Runs `work`. If it throws, adds the source to `leftOut` with the reason. */
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

/** Throws ReadError, with the reason `unreadable` if the value has a different type. */
export function check<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  unreadable = "cannot be read",
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  throw new ReadError(issues[0].kind === "validation" ? issues[0].message : unreadable);
}
