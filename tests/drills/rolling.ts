import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { signKeys } from "../../server/auth/keys.ts";
import { startExternalServer } from "../support/external-server.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/node.ts";
import { launchSite } from "../support/site-process.ts";
import { atRate, createClient, type Outcome } from "./client.ts";
import { type Figure, none } from "./figure.ts";
import { until } from "./site.ts";

const RATE = 50;

/** Starts the Caddy of this machine with deploy/Caddyfile, without TLS. `opened` stops it, even if it doesn't respond. */
async function startCaddy(upstreams: string[], opened: AsyncDisposableStack) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const hosts = upstreams.map((upstream) => new URL(upstream).host).join(" ");
  const child = spawn(
    "caddy",
    ["run", "--adapter=caddyfile", "--config", path.join(ROOT, "deploy/Caddyfile")],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        SITE_HOST: `:${port}`,
        UPSTREAMS: hosts,
        CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      },
    },
  );
  opened.defer(async () => void child.kill("SIGKILL"));
  await until("Caddy responds", 10_000, () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url };
}

interface Request {
  kind: "write" | "read";
  outcome: Outcome;
}

/** Returns the version of the machine's Caddy, or undefined if there is none. */
export function caddyVersion(): string | undefined {
  const { status, stdout } = spawnSync("caddy", ["version"]);
  return status === 0 ? String(stdout).trim() : undefined;
}

/**
 * Starts processes of the first program, and replaces each of them in turn with one of every further program, while a
 * client sends 50 requests a second through Caddy: alternately a write and a page. `undefined` is the server of this
 * tree. Resolves to all requests with their outcomes.
 */
export async function replaceInTurn(
  processes: number,
  [first, ...others]: (string | undefined)[],
): Promise<Request[]> {
  const secret = randomBytes(32).toString("hex");
  const { serviceKey } = await signKeys(secret);
  await using opened = new AsyncDisposableStack();
  const server = await startExternalServer();
  opened.defer(() => server.stop());
  const database = await server.createDatabase();
  const launch = async (port: number, program: string | undefined) => {
    const settings = {
      PORT: String(port),
      DATABASE_URL: database,
      AUTH_JWT_SECRET: secret,
      SEED: "none",
      TRUST_PROXY: "1",
    };
    const site = await launchSite(settings, program === undefined ? {} : { program });
    await site.running();
    return site;
  };
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const sites = await Promise.all(ports.map((port) => launch(port, first)));
  opened.defer(async () => void (await Promise.all(sites.map((site) => site.end("SIGKILL")))));
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

  const caddy = await startCaddy(
    sites.map(({ url }) => url),
    opened,
  );
  const client = createClient(caddy.url);
  const requests: Request[] = [];
  let isOver = false;
  const load = (async () => {
    while (!isOver) {
      await atRate(RATE, 1_000, async (at) => {
        const kind = at % 2 === 0 ? "write" : "read";
        const outcome = await (kind === "write"
          ? client.ask("/rest/v1/useful_links", { method: "POST", headers, body })
          : client.ask("/articles"));
        requests.push({ kind, outcome });
      });
    }
  })();
  for (const program of others) {
    for (const [index, old] of sites.entries()) {
      await old.end("SIGTERM");
      sites[index] = await launch(Number(new URL(old.url).port), program);
      // Caddy must notice that this process is back before the next one stops.
      const before = requests.length;
      await until(
        "Caddy has checked the new process",
        60_000,
        async () => requests.length > before + 2 * RATE,
      );
    }
  }
  isOver = true;
  await load;
  client.close();
  return requests;
}

export function failures(goal: string, requests: Request[], isAllowed = (_status: number) => false): Figure {
  const failed = requests
    .map(({ outcome }) => outcome)
    .filter(({ status }) => (status >= 400 || status === 0) && !isAllowed(status));
  const kinds = [...new Set(failed.map(({ status, failure }) => failure ?? status))].join(", ");
  return none(goal, failed.length, `${requests.length} requests (${kinds})`);
}
