import type { DataClient } from "../../common/data/client.ts";
import { openAuth } from "./open-auth.ts";

/** Returns the data client that sends the member's access token. */
export async function memberData(): Promise<DataClient> {
  return (await openAuth()).data;
}
