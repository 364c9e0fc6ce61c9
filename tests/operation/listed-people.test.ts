import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp } from "../support/test-app.ts";

const site = await startTestApp();
const { ask, eventually, admin } = site;
afterAll(() => site.stop());
beforeEach(() => admin.query("truncate auth.users cascade"));

/** The places that show people, apart from a person's own page. */
const PLACES = ["/", "/people", "/people?q=lovelace", "/search?q=lovelace", "/search?q=lovelace&kind=people"];
const OWN = ["/profile/ada", "/profile/ada.json", "/profile/ada.vcf", "/profile/ada/feed.xml"];

/** Adds an account as an invitation does: its owner has neither signed in nor saved the profile. */
async function invite(): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), 'ada@example.com',
       '{"full_name": " Ada Lovelace ", "username": "ada"}') returning id`,
  );
  const id = rows[0]?.id ?? "";
  await admin.query("update public.profiles set featured = true where id = $1", [id]);
  return id;
}

const signIn = (id: string) =>
  admin.query("update auth.users set last_sign_in_at = now() where id = $1", [id]);

async function placesWithAda(): Promise<string[]> {
  const places: string[] = [];
  for (const path of PLACES) if ((await eventually(path)).includes("Ada Lovelace")) places.push(path);
  const sitemap = await ask("/sitemaps/people-1.xml", { headers: { "Cache-Control": "no-cache" } });
  if ((await sitemap.text()).includes("/profile/ada<")) places.push("sitemap");
  return places;
}

const EVERYWHERE = [...PLACES, "sitemap"];

describe("a person whom an operator has invited", () => {
  test("is shown nowhere until they sign in, and has no page, even if an operator features them", async () => {
    const id = await invite();
    expect(await placesWithAda()).toEqual([]);
    for (const path of [...OWN, `/profile/${id}`]) await eventually(path, 404);
    await signIn(id);
    expect(await placesWithAda()).toEqual(EVERYWHERE);
    for (const path of OWN) await eventually(path);
  });

  test("is shown once the profile is saved", async () => {
    const id = await invite();
    await admin.query("update public.profiles set bio = 'About me' where id = $1", [id]);
    expect(await placesWithAda()).toEqual(EVERYWHERE);
  });
});

test("a suspended member is shown nowhere until the suspension ends, also if it ends by itself", async () => {
  const id = await invite();
  await signIn(id);
  const suspend = (until: string) =>
    admin.query(`update auth.users set banned_until = now() + interval '${until}' where id = $1`, [id]);
  await suspend("1 day");
  expect(await placesWithAda()).toEqual([]);
  await eventually("/profile/ada");
  await admin.query("update public.profiles set unlisted_until = now() - interval '1 second'");
  expect(await placesWithAda()).toEqual(EVERYWHERE);
  await suspend("7 days");
  await admin.query("update auth.users set banned_until = null");
  expect(await placesWithAda()).toEqual(EVERYWHERE);
});

test("a former member is shown nowhere, their page says so and is not indexed, and their items keep their name", async () => {
  const id = await invite();
  await signIn(id);
  await site.add("articles", { author_id: id, title: "Kept", content: "Text", published: true });
  expect(await eventually("/profile/ada")).not.toContain("noindex");
  await admin.query("update public.profiles set left_at = now()");
  // The item has its author's name.
  expect(await placesWithAda()).toEqual(["/", "/search?q=lovelace"]);
  expect(await eventually("/")).toContain("No featured professionals yet.");
  const page = await eventually("/profile/ada");
  expect(page).toContain("<bdi>Ada Lovelace</bdi> is no longer a member.");
  expect(page).toContain('<meta name="robots" content="noindex"/>');
  expect(await eventually("/articles")).toContain("Ada Lovelace");
  await admin.query("update public.profiles set left_at = null");
  expect(await placesWithAda()).toEqual(EVERYWHERE);
});
