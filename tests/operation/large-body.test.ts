import { expect, test } from "vitest";
import { readKeys } from "../support/data-dir.ts";
import { startProcess, temporaryCluster } from "../support/process.ts";

const small = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
const large = JSON.stringify({ email: "nobody@example.com", password: "x".repeat(1024 * 1024) });

test("a password of a megabyte is a 413 each time, and spoils no request before or after it", async () => {
  const dataDir = await temporaryCluster();
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  const { anonKey } = await readKeys(dataDir);
  const signIn = async (body: string) => {
    const response = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: anonKey, "Content-Type": "application/json" },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses: number[] = [];
  for (const body of [small, large, small, large, large, large, large, large, large, small]) {
    statuses.push(await signIn(body));
  }
  expect(statuses).toEqual([400, 413, 400, 413, 413, 413, 413, 413, 413, 400]);
});
