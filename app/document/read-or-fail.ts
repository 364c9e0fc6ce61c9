import { data } from "react-router";
import type { PageContext } from "../site.ts";

/** For a page that is nothing without this read: throws a 503, which the error page shows. */
export async function readOrFail<T>(
  event: string,
  { logFailure }: Pick<PageContext, "logFailure">,
  read: Promise<T>,
): Promise<T> {
  try {
    return await read;
  } catch (error) {
    logFailure(event, error);
    throw data(null, { status: 503 });
  }
}
