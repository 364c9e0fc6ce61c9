import { randomBytes } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { runServerProgram } from "../../tests/support/command.ts";
import { ownCpu } from "../../tests/support/cpu.ts";
import { connectAdmin, newDataDir, readKeys } from "../../tests/support/data-dir.ts";
import { createCommunity } from "../../tests/support/members.ts";
import { makePng, pathOf } from "../../tests/support/pictures.ts";
import { getRaw } from "../../tests/support/visiting.ts";
import { type Benchmark, type Figure, figure, formatNumber, inTurns, median, ratio } from "../figures.ts";
import { burst } from "../load.ts";
import { startBareServer, startSite } from "../site.ts";
import { familyMemory } from "../usage.ts";

const WARM_UP = 3;
const ROUNDS = 9;
const REQUESTS = 10_000;
/**
 * The size of the picture that both servers serve. The bare server receives it as base64 in an environment variable,
 * which Linux limits to 128 KiB.
 */
const SERVED_BYTES = 80_000;
const UPLOADS = 9;
const UPLOAD_BYTES = 4_900_000;
const STARTS = 3;
const PICTURES = 10_000;
const PICTURE_BYTES = 100_000;

const ADD_PICTURES = `
  with added as (
    insert into storage.objects (bucket_id, name, owner_id, metadata)
    select 'pictures', $1 || '/' || md5(i::text) || '-800x600.webp', $1,
      jsonb_build_object('size', length($2::bytea), 'mimetype', 'image/webp')
    from generate_series(1, $3::int) as i returning id
  )
  insert into storage.object_parts (object_id, position, bytes)
  select id, 0, overlay($2::bytea placing uuid_send(id) from 100) from added`;

async function requestsPerCpuSecond({ url, pid }: { url: string; pid: number }, address: string) {
  const before = await ownCpu(pid);
  await burst(url + address, REQUESTS);
  return (1_000 * REQUESTS) / ((await ownCpu(pid)) - before);
}

async function memoryOf(pid: number, field: "VmHWM" | "VmRSS"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024) / 1e6;
}

/** Returns the peak of the server's memory during the work minus its memory before the work, in megabytes. */
async function memoryPeak(pid: number, work: () => Promise<void>): Promise<number> {
  // Reset VmHWM, the peak memory size (see proc(5)).
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const before = await memoryOf(pid, "VmRSS");
  await work();
  return (await memoryOf(pid, "VmHWM")) - before;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function run(program: string, file: string, dataDir: string): Promise<void> {
  const { code, stderr } = await runServerProgram(program, [file], { DATA_DIR: dataDir });
  if (code !== 0) throw new Error(stderr);
}

async function startTime(dataDir: string): Promise<{ ms: number; memory: number }> {
  const start = performance.now();
  const site = await startSite({ DATA_DIR: dataDir });
  const ms = performance.now() - start;
  const memory = await familyMemory(site.pid);
  await site.stop();
  return { ms, memory };
}

/** Measures a backup, a restore and starts of a site with many pictures. */
async function measureMany(admin: pg.Client, dataDir: string, userId: string, stop: () => Promise<unknown>) {
  const file = path.join(await newDataDir(), "site.sql");
  const copy = await newDataDir();
  await admin.query(ADD_PICTURES, [userId, randomBytes(PICTURE_BYTES), PICTURES]);
  await admin.query("vacuum (analyze)");
  const { rows } = await admin.query<{ bytes: string }>(
    "select pg_database_size(current_database())::text as bytes",
  );
  const backup = await seconds(() => run("server/cli/backup.ts", file, dataDir));
  await admin.end();
  await stop();
  const restore = await seconds(() => run("server/cli/restore.ts", file, copy));
  const empty = await newDataDir();
  await startTime(empty);
  const starts = await inTurns(
    STARTS,
    () => startTime(dataDir),
    () => startTime(empty),
  );
  const times = starts.map(([full, none]): [number, number] => [full.ms, none.ms]);
  const memory = starts.map(([full, none]): [number, number] => [full.memory, none.memory]);
  const size = (await stat(file)).size / 1e6;
  await Promise.all([path.dirname(file), copy, empty].map((folder) => rm(folder, { recursive: true })));
  const name = `${formatNumber(PICTURES)} pictures`;
  return [
    figure(`${name}: size of the database`, Number(rows[0]?.bytes) / 1e6, { unit: "MB" }),
    figure(`${name}: backup`, backup, { unit: "s", decimals: 1, note: `a file of ${formatNumber(size)} MB` }),
    figure(`${name}: restore`, restore, { unit: "s", decimals: 1 }),
    ratio(`${name}: start`, times, { atMost: 1.2, unit: "ms", than: "without pictures" }),
    ratio(`${name}: memory after the start`, memory, { atMost: 1.2, unit: "MB", than: "without pictures" }),
  ];
}

export const pictures: Benchmark = {
  title: "Pictures",
  method: `*a picture from memory* has ${formatNumber(SERVED_BYTES / 1_000)} kB and is measured as in *Pages served*, but ${ROUNDS} times with ${formatNumber(REQUESTS)} requests. *an upload* is the peak increase of the server's resident memory while it receives ${formatNumber(UPLOAD_BYTES / 1e6, 1)} MB: the median of ${UPLOADS} uploads. The ${formatNumber(PICTURES)} pictures have ${formatNumber(PICTURE_BYTES / 1_000)} kB each; backup and restore run once, and start and memory are medians of ${STARTS} starts.`,
  async measure() {
    const dataDir = await newDataDir();
    const site = await startSite({ DATA_DIR: dataDir, PICTURES_PER_MEMBER: "1GB" });
    const keys = await readKeys(dataDir);
    const community = createCommunity({ url: site.url, keys });
    const { id } = await community.addMember();
    const bucket = community.admin.storage.from("pictures");
    const upload = async (bytesOfNoise: number, grey: number) => {
      const picture = makePng(1_000, 800, grey, bytesOfNoise);
      const { error } = await bucket.upload(pathOf(id, picture), picture.bytes, { contentType: "image/png" });
      if (error) throw error;
      return PUBLIC_PATH + pathOf(id, picture);
    };
    const figures: Figure[] = [];

    const address = await upload(SERVED_BYTES, 1);
    const { headers, body } = await getRaw(site.url + address);
    for (const name of ["date", "connection", "keep-alive"]) delete headers[name];
    const bare = await startBareServer(headers, body);
    const measureSite = () => requestsPerCpuSecond(site, address);
    const measureBare = () => requestsPerCpuSecond(bare, address);
    await inTurns(WARM_UP, measureSite, measureBare);
    const goal = { atLeast: 0.5, unit: "per second", than: "a bare node:http server" };
    figures.push(ratio("a picture from memory", await inTurns(ROUNDS, measureSite, measureBare), goal));
    await bare.stop();

    const peaks: number[] = [];
    for (let grey = 2; grey < 2 + UPLOADS; grey++)
      peaks.push(await memoryPeak(site.pid, () => upload(UPLOAD_BYTES, grey).then(() => undefined)));
    figures.push(
      figure("an upload", median(peaks), { atMost: (2 * UPLOAD_BYTES) / 1e6, unit: "MB", decimals: 1 }),
    );

    const admin = await connectAdmin(dataDir);
    figures.push(...(await measureMany(admin, dataDir, id, site.stop)));
    await rm(dataDir, { recursive: true, force: true });
    return figures;
  },
};
