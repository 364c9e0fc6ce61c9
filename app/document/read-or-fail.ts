import { data } from "react-router";
import type { PageServices } from "../../common/page-services.ts";

/** Awaits a read that a page can't do without. Throws a 404 response for null, and a 503 response for a failure. */
export async function readOrFail<T>(
  event: string,
  services: PageServices,
  read: Promise<T | null>,
): Promise<T> {
  const result = await read.catch((error: unknown) => {
    services.logFailure(event, error);
    throw data(null, { status: 503 });
  });
  if (result === null) throw data(null, { status: 404 });
  return result;
}
