import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../drills/client.ts";
import { readKeys } from "../support/data-dir.ts";
import { startProcess, temporaryCluster } from "../support/process.ts";

const small = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
const large = JSON.stringify({ email: "nobody@example.com", password: "x".repeat(1024 * 1024) });

test("a password of one megabyte is rejected with 413 each time, without breaking other requests on the connection", async () => {
  const dataDir = await temporaryCluster();
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  const { anonKey } = await readKeys(dataDir);
  const client = createClient(site.url, 1);
  onTestFinished(() => client.close());
  const headers = { apikey: anonKey, "content-type": "application/json" };
  const statuses: number[] = [];
  for (const body of [small, large, small, large, large, large, large, large, large, small]) {
    const response = await client.ask("/auth/v1/token?grant_type=password", {
      method: "POST",
      headers,
      body,
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([400, 413, 400, 413, 413, 413, 413, 413, 413, 400]);
});
