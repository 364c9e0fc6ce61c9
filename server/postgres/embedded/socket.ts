import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";

// sun_path holds 104 bytes on macOS and 108 on Linux (unix(7)), a terminating zero included.
const LONGEST_SOCKET_PATH_BYTES = 103;
const SOCKET_PORT = 5432;
const SOCKET_FOLDER = "run";

export async function chooseEndpoint(folder: string, account: Account | undefined) {
  const inside = path.join(folder, SOCKET_FOLDER);
  // A socket's lock file may name a process that is now something else; our own lock decides who may listen here.
  await rm(inside, { recursive: true, force: true });
  const fits = Buffer.byteLength(path.join(inside, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_SOCKET_PATH_BYTES;
  const host = fits ? inside : await mkdtemp(path.join(tmpdir(), "techfolio-"));
  await mkdir(host, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(host, account.uid, account.gid);
  const named = fits ? SOCKET_FOLDER : host;
  return {
    host,
    port: SOCKET_PORT,
    args: ["-c", "listen_addresses=", "-k", named, "-p", String(SOCKET_PORT)],
    remove: () => rm(host, { recursive: true, force: true }),
  };
}
