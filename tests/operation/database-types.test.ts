import path from "node:path";
import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import { afterAll, expect, test } from "vitest";
import type { DataClient } from "../../common/data/client.ts";
import { type Article, type ArticleFields, articles } from "../../common/kinds/articles.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { startTestRest } from "../support/rest.ts";

const rest = await startTestRest();
afterAll(() => rest.stop());

const FILE = path.join(import.meta.dirname, "../../common/data/database-types.ts");

/** Generates the types with the library that `supabase gen types typescript` uses. */
test("database-types.ts describes the schema that the migrations create", async () => {
  const metadata = await introspect(rest.admin, { includedSchemas: ["public"] });
  const types = await generateTypescript(sortGeneratorMetadata(metadata));
  // `npx vitest run tests/operation/database-types -u` writes the file.
  await expect(types).toMatchFileSnapshot(FILE);
});

test("the data API rejects a mistyped column, and the compiler does so first", async () => {
  const client: DataClient = rest.client(rest.keys.serviceKey).schema("public") as never;
  // @ts-expect-error
  const { error } = await client.from("skills").select("name").eq("profil_id", "");
  expect(error?.code).toBe("42703");
  // @ts-expect-error
  const inserted = await client.from("skills").insert({ profile_id: "", name: "SQL", profiency: 3 });
  expect(inserted.error?.code).toBe("PGRST204");
  const read = await client.from("skills").select("nam");
  expect(read.error?.code).toBe("42703");
  // @ts-expect-error
  expect(read.data?.map(({ nam }) => nam)).toBeUndefined();
});

test("the compiler rejects a kind that does not define a column of its table", () => {
  type Mistyped = Omit<ArticleFields, "content"> & { contents: string };
  // @ts-expect-error
  const columns: KindDefinition<Mistyped, Article, "articles">["columns"] = articles.columns;
  expect(Object.keys(columns)).toEqual(["title", "content", "published"]);
});
