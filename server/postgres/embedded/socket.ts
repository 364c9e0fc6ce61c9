import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";

/** Where PostgreSQL listens: in a folder, by Unix socket, or on a port of the loopback address. */
export interface Endpoint {
  host: string;
  port: number;
  /** What the server must be told. */
  args: string[];
  remove(): Promise<void>;
}

// sun_path holds 104 bytes on macOS and 108 on Linux (unix(7)), a terminating zero included.
const longestSocketPath = 103;
const socketPort = 5432;

/**
 * Takes the data directory and the account that must be able to write the socket, returns where to listen: a
 * folder that only this account may enter, inside the data directory unless its path is too long for a socket.
 * Windows gets a free port of 127.0.0.1.
 */
export async function chooseEndpoint(
  dataDir: string,
  account: Account | undefined,
  platform: NodeJS.Platform = process.platform,
): Promise<Endpoint> {
  if (platform === "win32") return loopback();
  const inside = path.join(dataDir, "run");
  const fits = Buffer.byteLength(path.join(inside, `.s.PGSQL.${socketPort}`)) <= longestSocketPath;
  const folder = fits ? inside : await mkdtemp(path.join(tmpdir(), "techfolio-"));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  return {
    host: folder,
    port: socketPort,
    args: ["-c", "listen_addresses=", "-k", folder, "-p", String(socketPort)],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function loopback(): Promise<Endpoint> {
  const host = "127.0.0.1";
  const port = await freePort(host);
  return {
    host,
    port,
    args: ["-c", `listen_addresses=${host}`, "-c", "unix_socket_directories=", "-p", String(port)],
    remove: async () => undefined,
  };
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string") throw new Error("A listening socket has no port");
  return address.port;
}
