import { randomBytes } from "node:crypto";
import { type Keys, signKeys } from "../../server/auth/keys.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { caddy, type ReverseProxy } from "../support/proxies.ts";
import { launchSite, type SiteProcess } from "../support/site-process.ts";
import { atRate, createClient, type Outcome } from "./client.ts";
import { type Figure, none } from "./figure.ts";
import { until } from "./site.ts";

const RATE = 50;
/** A single client would reach its limit of concurrent requests on a busy machine. */
const CLIENTS = 20;

interface Request {
  kind: "write" | "read";
  /** Omits the body, because an hour of pages would fill the memory. */
  outcome: Omit<Outcome, "headers" | "body">;
}

interface Rolling {
  /** In the order of their processes. */
  sites: SiteProcess[];
  proxyUrl: string;
  /** All requests so far. */
  requests: Request[];
  /** The connection string of the database's superuser. */
  database: string;
  /** Ends a process and starts another one on its port. `undefined` is the server of this tree. */
  replace(index: number, program: string | undefined): Promise<SiteProcess>;
}

/**
 * Starts processes of a program on one database, and does `work` while a client sends 50 requests a second through the
 * proxy: alternately a write and a page. Resolves to all requests with their outcomes.
 */
export async function underLoad(
  {
    processes,
    program,
    proxy = caddy,
    prepare,
  }: {
    processes: number;
    program?: string | undefined;
    proxy?: ReverseProxy;
    /** Fills the site before the first request. */
    prepare?: (url: string, keys: Keys, database: string) => Promise<void>;
  },
  work: (rolling: Rolling) => Promise<void>,
): Promise<Request[]> {
  const secret = randomBytes(32).toString("hex");
  const keys = await signKeys(secret);
  const { serviceKey } = keys;
  await using opened = new AsyncDisposableStack();
  const server = await startExternalServer();
  opened.defer(() => server.stop());
  const database = await server.createDatabase();
  const launch = (port: number, file: string | undefined) => {
    const settings = {
      PORT: String(port),
      DATABASE_URL: database,
      AUTH_JWT_SECRET: secret,
      SEED: "none",
      TRUST_PROXY: "1",
    };
    return launchSite(settings, file === undefined ? {} : { program: file });
  };
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const sites = await Promise.all(ports.map((port) => launch(port, program)));
  opened.defer(async () => void (await Promise.all(sites.map((site) => site.end("SIGKILL")))));
  await Promise.all(sites.map((site) => site.running()));
  await prepare?.(sites[0]?.url ?? "", { ...keys, jwtSecret: secret }, database);
  const headers = {
    apikey: serviceKey,
    authorization: `Bearer ${serviceKey}`,
    "content-type": "application/json",
  };
  const created = await fetch(`${sites[0]?.url}/auth/v1/admin/users`, {
    method: "POST",
    headers,
    body: JSON.stringify({ email: "drill@example.com", email_confirm: true }),
  });
  const { id: owner } = (await created.json()) as { id: string };
  const body = JSON.stringify({ profile_id: owner, title: "Drill", url: "/", category: "Drill" });

  const { url: proxyUrl } = await proxy.start(
    sites.map(({ url }) => url),
    opened,
  );
  const client = createClient(proxyUrl);
  const requests: Request[] = [];
  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await atRate(RATE, 1_000, async (at) => {
        const kind = at % 2 === 0 ? "write" : "read";
        const from = `127.0.0.${1 + (at % CLIENTS)}`;
        const { status, failure, milliseconds } = await (kind === "write"
          ? client.ask("/rest/v1/useful_links", { method: "POST", headers, body, from })
          : client.ask("/articles", { from }));
        requests.push({ kind, outcome: { status, failure, milliseconds } });
      });
    }
  })();
  try {
    await work({
      sites,
      proxyUrl,
      requests,
      database,
      async replace(index, file) {
        const old = sites[index];
        if (old === undefined) throw new Error(`There is no process ${index}`);
        await old.end("SIGTERM");
        const replacement = await launch(Number(new URL(old.url).port), file);
        sites[index] = replacement;
        return replacement;
      },
    });
  } finally {
    isOver = true;
    await load;
    client.close();
  }
  return requests;
}

/** Starts processes of the first program, and replaces each of them in turn with one of every further program. */
export function replaceInTurn(
  processes: number,
  [program, ...others]: (string | undefined)[],
  proxy = caddy,
): Promise<Request[]> {
  return underLoad({ processes, program, proxy }, async ({ sites, requests, replace }) => {
    for (const other of others) {
      for (const index of sites.keys()) {
        await (await replace(index, other)).running();
        // The proxy must notice that this process is back before the next one stops.
        const before = requests.length;
        await until(`${proxy.name} has checked the new process`, 60_000, async () => {
          return requests.length > before + 2 * RATE;
        });
      }
    }
  });
}

export function failures(goal: string, requests: Request[], isAllowed = (_status: number) => false): Figure {
  const failed = requests
    .map(({ outcome }) => outcome)
    .filter(({ status }) => (status >= 400 || status === 0) && !isAllowed(status));
  const kinds = [...new Set(failed.map(({ status, failure }) => failure ?? status))].join(", ");
  return none(goal, failed.length, `${requests.length} requests (${kinds})`);
}
