import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "vite";
import { type Bare, startBare } from "./bare.ts";
import type { Answers } from "./bare-server.ts";
import type { MeasuredSite } from "./site.ts";

const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" };

/** What supabase-js asks for when the application in baseline/ reads its list. */
const LIST = "/rest/v1/articles?select=*%2Cprofiles%28username%2Cfull_name%29&order=created_at.desc";

function answer(type: string, bytes: Uint8Array): Answers[string] {
  const body = brotliCompressSync(bytes);
  return {
    headers: { "Content-Type": type, "Content-Encoding": "br", "Content-Length": String(body.length) },
    body,
  };
}

/** The built application of baseline/ by path, compressed as well as it can be. */
export async function buildBaseline(): Promise<Answers> {
  const outDir = await mkdtemp(path.join(tmpdir(), "techfolio-baseline-"));
  await build({
    root: path.join(import.meta.dirname, "baseline"),
    configFile: false,
    logLevel: "error",
    mode: "production",
    oxc: { jsx: { runtime: "automatic" } },
    build: { outDir, emptyOutDir: true },
  });
  const files: Answers = {};
  for (const name of await readdir(outDir, { recursive: true })) {
    const type = TYPES[path.extname(name)];
    if (type) files[`/${name}`] = answer(type, await readFile(path.join(outDir, name)));
  }
  await rm(outDir, { recursive: true });
  const page = files["/index.html"];
  if (!page) throw new Error("The application in baseline/ has no page");
  return { ...files, "/articles": page };
}

/** A bare server with the built application and the site's articles in memory: no database is waited for. */
export async function startBaseline(files: Answers, site: MeasuredSite): Promise<Bare> {
  const response = await fetch(`${site.url}${LIST}`, { headers: { apikey: site.keys.anonKey } });
  if (!response.ok) throw new Error(`The site answers ${response.status} to the whole list`);
  return startBare({
    ...files,
    [LIST]: answer("application/json", new Uint8Array(await response.arrayBuffer())),
  });
}
