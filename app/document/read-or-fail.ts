import { data } from "react-router";
import type { PageContext } from "../site.ts";

/** For reads that a page can't do without. Throws a 404 for null and a 503 for a failure. */
export async function readOrFail<T>(event: string, page: PageContext, read: Promise<T | null>): Promise<T> {
  const found = await read.catch((error: unknown) => {
    page.logFailure(event, error);
    throw data(null, { status: 503 });
  });
  if (found === null) throw data(null, { status: 404 });
  return found;
}
