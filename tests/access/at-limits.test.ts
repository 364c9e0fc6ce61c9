// The CPU time of PostgreSQL for requests by and about a member who has used up every limit, compared with the same
// requests by and about a new member.

import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { picturePath } from "../../common/pictures/picture-path.ts";
import { connectionsCpu, connectionsCpuSince } from "../support/cpu.ts";
import { makePng } from "../support/pictures.ts";
import type { Member } from "../support/rest.ts";
import { startTestStorage } from "../support/storage.ts";

/** Each counts 1,000 bytes of 200 MB. */
const PICTURES = 200_000;
/** Each counts 1,000 bytes of 100 MB. */
const LINKS = 100_000;
const MAX_RATIO = 20;
const TRIES = 3;

const site = await startTestStorage();
afterAll(() => site.stop());
const [full, fresh, other] = [await site.signedIn(), await site.signedIn(), await site.signedIn()];

/** Fills the member's tables without triggers, which would take minutes, and then sets what these would have counted. */
async function fill({ id }: Member): Promise<void> {
  const client = await site.admin.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata)
       select gen_random_uuid(), 'pictures', $1 || '/' || lpad(to_hex(n), 32, '0') || '-1x1.gif', $1::uuid, $1, n::text,
         '{"size": 36, "mimetype": "image/gif", "eTag": "x"}'
       from generate_series(1, $2::int) as n`,
      [id, PICTURES],
    );
    await client.query(
      "insert into storage.folder_sizes (bucket_id, folder, bytes) values ('pictures', $1, $2)",
      [id, 200 * 1024 * 1024],
    );
    await client.query(
      `insert into public.useful_links (profile_id, title, url, category, created_at)
       select $1, 'Link ' || n, '/', 'SQL', now() - n * interval '1 second' from generate_series(1, $2::int) as n`,
      [id, LINKS],
    );
    await client.query(
      `insert into public.skills (profile_id, name, category, proficiency)
       select $1, 'Skill ' || n, 'sql', 1 + n % 5 from generate_series(1, 200) as n`,
      [id],
    );
    await client.query(
      "update private.storage_use set row_bytes = private.max_bytes_of_rows() - 500, version_bytes = private.max_bytes_of_versions() where profile_id = $1",
      [id],
    );
    await client.query("set session_replication_role = origin");
    await client.query("analyze");
  } finally {
    client.release();
  }
}
await fill(full);

const picture = ({ id }: Member, shade: number) => {
  const { bytes, ...size } = makePng(3, 3, shade);
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return { bytes, path: picturePath({ userId: id, digest, ...size }) };
};

interface Outcome {
  status?: number | undefined;
  error: { message: string; status?: number | undefined } | null;
}

/** Requests of a member, and of others for the member's rows. `attempt` differs between repetitions. */
const REQUESTS: Record<string, (member: Member, attempt: number) => PromiseLike<Outcome>> = {
  "lists their pictures": ({ id, token }) => site.pictures(token).list(id, { limit: 100 }),
  "lists all folders": ({ token }) => site.pictures(token).list("", { limit: 100 }),
  "searches their pictures": ({ id, token }) => site.pictures(token).list(id, { limit: 10, search: "zz" }),
  "lists their pictures by time": ({ id, token }) =>
    site.pictures(token).list(id, { limit: 100, sortBy: { column: "created_at", order: "desc" } }),
  "uploads a picture": (member, attempt) => {
    const { bytes, path } = picture(member, attempt);
    return site.pictures(member.token).upload(path, bytes, { contentType: "image/png" });
  },
  "removes pictures that don't exist": ({ id, token }) =>
    site.pictures(token).remove(Array.from({ length: 100 }, (_, at) => `${id}/${at}`)),
  "adds a link": ({ id, token }) =>
    site
      .client(token)
      .from("useful_links")
      .insert({ profile_id: id, title: "New", url: "/", category: "SQL" }),
  "adds a skill": ({ id, token }, attempt) =>
    site
      .client(token)
      .from("skills")
      .insert({ profile_id: id, name: `New ${attempt}`, category: "sql" }),
  "changes their profile": ({ id, token }, attempt) =>
    site
      .client(token)
      .from("profiles")
      .update({ company: `Company ${attempt}` })
      .eq("id", id),
  "reads the profile with all skills": ({ id }) =>
    site.client().from("profiles").select("*,skills(*)").eq("id", id),
  "reads the newest links": ({ id }) =>
    site.client().from("useful_links").select("*").eq("profile_id", id).order("created_at").limit(20),
  "reads the earlier versions": ({ token }) => site.client(token).from("versions").select("id").limit(20),
  "reads the directory": () => site.client().rpc("search_people", { page_size: 20 }),
  "reads the list of links": () => site.client().rpc("search_content", { content_table: "useful_links" }),
  "reads the member's list of links": ({ id }) =>
    site.client().rpc("search_content", { content_table: "useful_links", search_author: `@${id}` }),
};

async function costOf(send: (attempt: number) => PromiseLike<Outcome>) {
  const cost = { ms: Number.POSITIVE_INFINITY, errors: new Set<string>() };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await connectionsCpu(site.admin);
    const { error } = await send(attempt);
    cost.ms = Math.min(cost.ms, await connectionsCpuSince(site.admin, before));
    if (error !== null) cost.errors.add(error.message);
  }
  return cost;
}

describe("PostgreSQL's work for a member with 200,000 pictures and 100,000 links", () => {
  test.each(Object.entries(REQUESTS))("a member at every limit %s", async (_, send) => {
    const usual = await costOf((attempt) => send(fresh, attempt));
    const worst = await costOf((attempt) => send(full, attempt + 100));
    const ofOther = await costOf((attempt) => send(other, attempt + 200));
    expect([...usual.errors, ...ofOther.errors]).toEqual([]);
    for (const message of worst.errors) expect(message).toMatch(/can take up/);
    const limit = MAX_RATIO * Math.max(1, usual.ms);
    expect(worst.ms).toBeLessThan(limit);
    expect(ofOther.ms).toBeLessThan(limit);
  });
});
