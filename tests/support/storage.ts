import { StorageClient } from "@supabase/storage-js";
import { createStorage } from "../../server/storage/storage-routes.ts";
import { startTestRest, type TestRest } from "./rest.ts";

/** The `/storage/v1` and `/rest/v1` routes in the test's process, with a new database. */
export interface TestStorage extends TestRest {
  request(path: string, init?: RequestInit): Promise<Response>;
  /** An unmodified storage-js client for the pictures bucket. */
  pictures(token?: string): ReturnType<StorageClient["from"]>;
  storageClient(token?: string): StorageClient;
}

const STORAGE_URL = "http://techfolio.test/storage/v1";

export async function startTestStorage(picturesPerMember = 200 * 1024 * 1024): Promise<TestStorage> {
  const rest = await startTestRest();
  rest.app.route("/storage/v1", createStorage({ pipeline: rest.pipeline, picturesPerMember }));
  const request: TestStorage["request"] = async (path, init) =>
    rest.app.request(`${STORAGE_URL}/${path}`, init);
  const storageClient = (token = rest.keys.anonKey) =>
    new StorageClient(
      STORAGE_URL,
      { apikey: rest.keys.anonKey, Authorization: `Bearer ${token}` },
      async (input, init) => rest.app.request(new Request(input, { duplex: "half", ...init } as RequestInit)),
    );
  return { ...rest, request, storageClient, pictures: (token) => storageClient(token).from("pictures") };
}
