import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, open, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freeBytes } from "../../server/postgres/embedded/disk-check.ts";
import { newClusterDir } from "../support/cluster.ts";
import { type Client, createClient } from "./client.ts";
import { type Drill, type Figure, none, within } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const SIZE_MB = 320;
const MB = 1024 * 1024;
const STEP_BYTES = 16 * MB;
/** Between the two reserves of the site (LIMITS.freeDiskSpace). */
const LOWER_RESERVE = 56 * MB;

/** Whether this process can mount a disk. Mounting requires root, and most containers forbid it. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "pipe" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Mounts a disk in memory (tmpfs) for the site's data, so that the drill fills only this disk and not the machine's. */
async function mountDisk(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MB}m,mode=755`, "tmpfs", folder], {
    stdio: "pipe",
  });
  return {
    folder,
    async remove() {
      execFileSync("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes to the file until at most `leave` bytes are free, but at most one step. Returns whether the disk is full. */
async function fillMore(file: string, leave: number): Promise<boolean> {
  const handle = await open(file, "a");
  try {
    const missing = (await freeBytes(path.dirname(file))) - leave;
    if (missing <= 0) return true;
    await handle.write(Buffer.alloc(Math.min(STEP_BYTES, missing)));
    return missing <= STEP_BYTES;
  } finally {
    await handle.close();
  }
}

/**
 * Checks that a member, a visitor and the operator can still do everything that doesn't add data while the disk has only
 * the lower reserve left.
 */
async function cleanUp(site: DrillSite, author: Author, client: Client, ids: string[]): Promise<Figure> {
  const { anonKey, serviceKey } = site.keys;
  const json = { "content-type": "application/json" };
  const visitor = { apikey: anonKey };
  const signIn = (path: string, body: object) =>
    client.ask(`/auth/v1/${path}`, {
      method: "POST",
      headers: { ...visitor, ...json },
      body: JSON.stringify(body),
    });
  const { email, password } = author;
  const signedIn = await signIn("token?grant_type=password", { email, password });
  const session = JSON.parse(signedIn.body) as { access_token: string; refresh_token: string };
  const refreshed = await signIn("token?grant_type=refresh_token", { refresh_token: session.refresh_token });
  const member = { ...visitor, authorization: `Bearer ${session.access_token}` };
  const operator = { apikey: serviceKey, authorization: `Bearer ${serviceKey}` };
  const item = (id = "") => `/rest/v1/articles?id=eq.${id}`;
  const link = { profile_id: author.id, title: "Drill", url: "/", category: "Drill" };
  const save = (headers: Record<string, string>) =>
    client.ask("/rest/v1/useful_links", {
      method: "POST",
      headers: { ...headers, ...json },
      body: JSON.stringify(link),
    });
  const statuses = {
    "sign in": signedIn.status,
    "refresh a session": refreshed.status,
    "delete as a member": (await client.ask(item(ids[0]), { method: "DELETE", headers: member })).status,
    "delete as an operator": (await client.ask(item(ids[1]), { method: "DELETE", headers: operator })).status,
    "save as an operator": (await save(operator)).status,
    "save as a member": (await save(member)).status,
    "read as a member": (await client.ask(item(ids[0]), { headers: member })).status,
    "read a page": (await client.ask("/articles?q=reserve")).status,
    "sign out": (await client.ask("/auth/v1/logout?scope=local", { method: "POST", headers: member })).status,
  };
  const measured = Object.entries(statuses).map(([what, status]) => `${what} ${status}`);
  return {
    goal: `${LOWER_RESERVE / MB} MB left: only saves of members are rejected`,
    measured: measured.join(", "),
    ok: Object.values(statuses).join() === "200,200,204,204,201,507,200,200,204",
  };
}

async function fillAndRecover(
  site: DrillSite,
  folder: string,
  { leave, before, after }: { leave: number; before: number; after: number },
): Promise<Figure[]> {
  const author = await makeAuthor(site);
  const client = createClient(site.url);
  const member = { apikey: site.keys.anonKey, authorization: `Bearer ${author.token}` };
  const acknowledged: string[] = [];
  const write = async () => {
    const id = crypto.randomUUID();
    // The content is random, so that the database cannot compress it.
    const content = Buffer.from(crypto.getRandomValues(new Uint8Array(12_000))).toString("base64");
    const response = await client.ask("/rest/v1/articles", {
      method: "POST",
      headers: { ...member, "content-type": "application/json" },
      body: JSON.stringify({ id, author_id: author.id, title: "Drill", content }),
    });
    if (response.status === 201) acknowledged.push(id);
    return response;
  };
  const read = () => client.ask("/rest/v1/articles?select=id,title&limit=5", { headers: member });
  for (let count = 0; count < before; count++) await write();

  // Keep writing while the disk fills up, so that some writes run just as the site begins to reject them. Fill a part
  // after each write: a whole disk would fill within one write on a busy machine, as no program fills it.
  const ballast = path.join(folder, "postgres", "ballast");
  const writes = [];
  const reads = [];
  for (let sinceFull = 0; sinceFull < after; ) {
    writes.push(await write());
    reads.push(await read());
    if (await fillMore(ballast, leave)) sinceFull++;
  }
  const refused = writes.filter(({ status }) => status !== 201);
  const wrong = refused.filter(({ status }) => status !== 503 && status !== 507);
  const unread = reads.filter(({ status }) => status !== 200);
  const page = await client.ask(`/articles?q=${leave}`);

  await truncate(ballast, (await stat(ballast)).size + (await freeBytes(folder)) - LOWER_RESERVE);
  const cleanedUp = await cleanUp(site, author, client, acknowledged.splice(0, 2));
  const pid = site.child().pid;
  await rm(ballast);
  const recovery = await until("a successful write", 30_000, async () => (await write()).status === 201);
  client.close();
  const admin = await site.admin();
  const { rows } = await admin.query<{ id: string }>("select id from public.articles");
  await admin.end();
  const kept = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !kept.has(id)).length;
  const name = `${Math.round(leave / MB)} MB left`;
  return [
    cleanedUp,
    {
      goal: `${name}: some writes are rejected`,
      measured: `${refused.length} of ${writes.length}`,
      ok: refused.length > 0,
    },
    none(
      `${name}: rejected writes get 507 or 503`,
      wrong.length,
      `${refused.length} with another status: ${[...new Set(refused.map(({ status }) => status))]}`,
    ),
    none(
      `${name}: reads still work`,
      unread.length,
      `${reads.length} failed: ${[...new Set(unread.map(({ status }) => status))]}`,
    ),
    { goal: `${name}: pages are still served`, measured: `status ${page.status}`, ok: page.status === 200 },
    within(`${name}: writes work within 10 s of freeing space, without a restart`, recovery, 10_000),
    none(`${name}: the process keeps running`, site.child().pid === pid ? 0 : 1, "1 process ended"),
    none(`${name}: no acknowledged write lost`, lost, `${acknowledged.length} acknowledged`),
  ];
}

/**
 * Fills the site's disk until 20 MB are free, while a member writes. Then cleans up with 56 MB, and frees the space. The site rejects members' saves if less than 64 MB are free, and all writes below 32 MB.
 */
export const fullDisk: Drill = {
  name: "full-disk",
  title: "with a nearly full disk, the site rejects writes, still cleans up, and loses no acknowledged write",
  async run(scale) {
    if (!canMount()) {
      return [{ goal: "a disk to fill", measured: "none: mounting one requires root", ok: false }];
    }
    const disk = await mountDisk();
    try {
      return await withSite({ dataDir: await newClusterDir(disk.folder) }, async (site) => {
        const [before, after] = scale === "short" ? [10, 20] : [50, 200];
        return fillAndRecover(site, disk.folder, { leave: 20 * MB, before, after });
      });
    } finally {
      await disk.remove();
    }
  },
};
