import { rm } from "node:fs/promises";
import path from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import { backup } from "../../server/cli/programs/backup.ts";
import { restore as restoreProgram } from "../../server/cli/programs/restore.ts";
import { newClusterDir } from "./cluster.ts";
import { readKeys } from "./data-dir.ts";
import { makePng, pathOf } from "./pictures.ts";
import {
  clientOf,
  type SiteHere,
  startHere,
  startShared,
  temporaryCluster,
  temporaryFolder,
} from "./process.ts";
import { runHere } from "./run-here.ts";

/** The credentials of the backed-up site's only member. */
export const MEMBER_LOGIN = { email: "keeper@example.com", password: "a member's long password" };
/** Contains the characters that COPY and SQL must escape, and characters that some programs treat as line breaks. */
export const AWKWARD_TEXT = "tab\t back\\slash \\. \\N \r\n'quote' \"double\" $$ \u2028 𝄞 :name {a,b}";

interface BackedUpSite extends SiteHere {
  dataDir: string;
  service: SupabaseClient;
}

interface FilledSite extends BackedUpSite {
  /** The member's id. */
  member: string;
}

/** Starts a site with one member, one article with `AWKWARD_TEXT`, and one picture, by default so large that it is stored in parts. */
export async function startSite(pictureBytes?: number): Promise<FilledSite> {
  return fill(await startSiteOn(await temporaryCluster()), pictureBytes);
}

/** Like `startSite`, for several tests. The caller must stop the site, which also removes its data. */
export async function startSharedSite(): Promise<FilledSite> {
  const dataDir = await newClusterDir();
  const site = await withService(await startShared({ DATA_DIR: dataDir, SEED: "none" }), dataDir);
  const stop = () => site.stop().then(() => rm(dataDir, { recursive: true, force: true }));
  return { ...(await fill(site)), stop };
}

async function fill(site: BackedUpSite, pictureBytes = 700_000): Promise<FilledSite> {
  const created = await site.service.auth.admin.createUser({ ...MEMBER_LOGIN, email_confirm: true });
  const member = created.data.user?.id ?? "";
  const article = {
    author_id: member,
    title: AWKWARD_TEXT,
    content: AWKWARD_TEXT,
    created_at: "2025-01-02T03:04:05.6Z",
  };
  const { error } = await site.service.from("articles").insert(article);
  const picture = makePng(30, 20, 1, pictureBytes);
  const uploaded = await site.service.storage
    .from("pictures")
    .upload(pathOf(member, picture), picture.bytes, { contentType: "image/png" });
  expect([created.error, error, uploaded.error]).toEqual([null, null, null]);
  return { ...site, member };
}

export async function startSiteOn(dataDir: string): Promise<BackedUpSite> {
  return withService(await startHere({ DATA_DIR: dataDir, SEED: "none" }), dataDir);
}

async function withService(site: SiteHere, dataDir: string): Promise<BackedUpSite> {
  const { serviceKey } = await readKeys(dataDir);
  return { ...site, dataDir, service: clientOf(site, serviceKey) };
}

export async function backUp(settings: Record<string, string>, ...options: string[]): Promise<string> {
  const file = path.join(await temporaryFolder(), "site.sql");
  expect(await runHere(backup, [file, ...options], settings)).toMatchObject({
    code: 0,
    stderr: "",
  });
  return file;
}

export function restore(file: string, settings: Record<string, string>) {
  return runHere(restoreProgram, [file], settings);
}
