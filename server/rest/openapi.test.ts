// Tests the document that describes the API, and sends requests that are generated from it.
import { createClient } from "@supabase/supabase-js";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { KINDS } from "../../common/kinds/index.ts";
import { startTestRest } from "../../tests/support/rest.ts";

interface Parameter {
  $ref?: string;
  name: string;
  in: "query" | "header" | "body";
  type?: string;
  format?: string;
  enum?: string[];
  required?: boolean;
  schema?: Schema;
}

const schemaOf = ({ type, format, enum: values }: Parameter): Schema => ({
  ...(type !== undefined && { type }),
  ...(format !== undefined && { format }),
  ...(values !== undefined && { enum: values }),
});

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema & { default?: unknown; description?: string; "x-nullable"?: boolean }>;
}

interface Operation {
  parameters?: Parameter[];
  responses: Record<string, { description: string; schema?: Schema }>;
}

interface Description {
  swagger: string;
  basePath: string;
  paths: Record<string, Record<string, Operation>>;
  definitions: Record<string, Schema>;
  parameters: Record<string, Parameter>;
}

const rest = await startTestRest();
const ada = await rest.signedIn();
await rest.admin.query(
  `insert into public.useful_links (profile_id, title, url, category)
   select $1, 'Link ' || n, 'https://example.com/', 'SQL' from generate_series(1, 5) as n`,
  [ada.id],
);
afterAll(() => rest.stop());

async function describeFor(headers: Record<string, string> = {}): Promise<Description> {
  const response = await rest.request("", { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/openapi+json; charset=utf-8",
  ]);
  return response.json();
}

const asMember = { authorization: `Bearer ${ada.token}` };
const asService = { apikey: rest.keys.serviceKey };
const forVisitor = await describeFor();
const forMember = await describeFor(asMember);
const forService = await describeFor(asService);

const CONTENT = ["profiles", "skills", ...KINDS.map(({ table }) => table)];
const methodsOf = ({ paths }: Description, name: string) => Object.keys(paths[`/${name}`] ?? {}).sort();

describe("the description of the API", () => {
  test("lists for visitors only what they can read and call", () => {
    const functions = [
      "find_item",
      "search_content",
      "search_everything",
      "search_items",
      "search_people",
    ].map((name) => `rpc/${name}`);
    expect(Object.keys(forVisitor.paths).sort()).toEqual(
      ["", ...CONTENT, ...functions].map((path) => `/${path}`).sort(),
    );
    for (const name of CONTENT) expect(methodsOf(forVisitor, name)).toEqual(["get"]);
  });

  test("lists for members what they can write, and their versions", () => {
    expect(methodsOf(forMember, "articles")).toEqual(["delete", "get", "patch", "post"]);
    expect(methodsOf(forMember, "versions")).toEqual(["get"]);
    expect(methodsOf(forMember, "operator_log")).toEqual([]);
  });

  test("lists for the service key the operators' log and functions", () => {
    expect(methodsOf(forService, "operator_log")).toContain("get");
    expect(Object.keys(forService.paths)).toContain("/rpc/list_members");
  });

  test("names types, keys, defaults and enumerations in PostgREST's form", () => {
    expect(forVisitor).toMatchObject({ swagger: "2.0", basePath: "/rest/v1" });
    const { properties = {}, required } = forVisitor.definitions["articles"] ?? {};
    expect(required).toEqual(expect.arrayContaining(["id", "author_id", "title"]));
    expect(properties["id"]).toMatchObject({
      type: "string",
      format: "uuid",
      default: "gen_random_uuid()",
      description: expect.stringContaining("<pk/>"),
    });
    expect(properties["author_id"]?.description).toContain("<fk table='profiles' column='id'/>");
    expect(properties["published"]).toMatchObject({ type: "boolean", format: "boolean" });
    expect(forVisitor.definitions["profiles"]?.properties?.["featured_skills"]).toMatchObject({
      type: "array",
      format: "text[]",
      items: { type: "string" },
    });
  });

  test("contains every definition and parameter that it refers to", () => {
    for (const description of [forVisitor, forMember, forService]) {
      const text = JSON.stringify(description);
      for (const [, kind = "", name = ""] of text.matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g)) {
        expect(description[kind as "definitions" | "parameters"]).toHaveProperty([name]);
      }
    }
  });

  test("has the columns of a row that an unmodified client reads", async () => {
    const client = createClient("http://techfolio.test", rest.keys.anonKey, {
      global: { fetch: async (input, init) => rest.app.request(new Request(input, init)) },
    });
    const { data } = await client.from("useful_links").select().limit(1).single();
    expect(Object.keys(data).sort()).toEqual(
      Object.keys(forVisitor.definitions["useful_links"]?.properties ?? {}).sort(),
    );
  });

  test.each([
    ["", {}, 200],
    ["", { accept: "application/json" }, 200],
    ["", { accept: "text/csv" }, 406],
    ["", { apikey: "nonsense" }, 401],
    ["?select=id", {}, 200],
  ])("the request /rest/v1/%s with the headers %j gets status %d", async (search, headers, status) => {
    const response = await rest.request(search, { headers: headers as Record<string, string> });
    expect(response.status).toBe(status);
    expect(
      (await rest.request(search, { method: "HEAD", headers: headers as Record<string, string> })).status,
    ).toBe(status);
  });

  test("a member whose session has ended gets no API description", async () => {
    const gone = await rest.signedIn();
    await rest.admin.query("delete from auth.sessions where id = $1", [gone.sessionId]);
    expect((await rest.request("", { headers: { authorization: `Bearer ${gone.token}` } })).status).toBe(401);
  });
});

function resolve(description: Description, parameter: Parameter): Parameter {
  const name = parameter.$ref?.replace("#/parameters/", "");
  return name === undefined ? parameter : (description.parameters[name] ?? parameter);
}

/** Values that the schema allows, and a few that it doesn't. */
function anyValue(description: Description, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const target = schema.$ref?.replace("#/definitions/", "");
  if (target !== undefined) return anyValue(description, description.definitions[target] ?? {}, depth);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === "object") {
    const keys = Object.entries(schema.properties ?? {});
    const values = keys.map(
      ([name, property]) => [name, anyValue(description, property, depth + 1)] as const,
    );
    return fc.record(Object.fromEntries(values), { requiredKeys: schema.required ?? [] });
  }
  if (schema.type === "array")
    return fc.array(anyValue(description, schema.items ?? {}, depth + 1), { maxLength: 3 });
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "integer") return fc.oneof(fc.integer({ min: -2, max: 100 }), fc.maxSafeInteger());
  if (schema.format === "uuid") return fc.oneof(fc.constant(ada.id), fc.uuid());
  if (schema.format?.startsWith("timestamp"))
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.type === "string")
    return fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "binary", maxLength: 30 }));
  return fc.jsonValue({ maxDepth: 2 });
}

const operators = ["eq", "neq", "gt", "lte", "like", "ilike", "is", "in", "cs", "ov", "not.eq", "fts", ""];

function filterValue(description: Description, parameter: Parameter) {
  const value = anyValue(description, {
    ...schemaOf(parameter),
    type: parameter.format === "boolean" ? "boolean" : "string",
  });
  return fc.tuple(fc.constantFrom(...operators), value).map(([operator, text]) => `${operator}.${text}`);
}

interface Generated {
  search: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

function requestOf(description: Description, operation: Operation): fc.Arbitrary<Generated> {
  const parameters = (operation.parameters ?? []).map((each) => resolve(description, each));
  const inUrl = parameters.filter((each) => each.in !== "body");
  const one = (parameter: Parameter) => {
    const isFilter =
      parameter.in === "query" && parameter.format !== undefined && parameter.required === false;
    const value = isFilter
      ? fc.oneof(filterValue(description, parameter), anyValue(description, schemaOf(parameter)))
      : anyValue(description, schemaOf(parameter));
    return fc.option(value, { nil: undefined, freq: parameter.required ? 10 : 1 });
  };
  const body = parameters.find((each) => each.in === "body")?.schema;
  return fc
    .record({
      values: fc.tuple(...inUrl.map(one)),
      body: body
        ? fc.oneof(anyValue(description, body), fc.array(anyValue(description, body), { maxLength: 3 }))
        : fc.constant(undefined),
    })
    .map(({ values, body: content }) => {
      const search = new URLSearchParams();
      const headers: Record<string, string> = { "content-type": "application/json" };
      for (const [index, { name, in: place }] of inUrl.entries()) {
        const value = values[index];
        if (value === undefined) continue;
        if (place === "query") search.append(name, String(value));
        else headers[name] = String(value).replace(/[^ -~]/g, "");
      }
      return {
        search: search.toString(),
        headers,
        body: content === undefined ? undefined : JSON.stringify(content),
      };
    });
}

const operationsIn = (description: Description) =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );

const REQUESTS_PER_OPERATION = 25;

describe.each([
  ["a visitor", forVisitor, {}],
  ["a member", forMember, asMember],
  ["the service key", forService, asService],
])("requests of %s that are generated from the description", (_who, description, identity) => {
  test.each(operationsIn(description))(
    "%s %s succeeds or is rejected in PostgREST's format",
    async (method, path, operation) => {
      await fc.assert(
        fc.asyncProperty(requestOf(description, operation), async ({ search, headers, body }) => {
          const response = await rest.request(`${path.slice(1)}?${search}`, {
            method,
            headers: { ...headers, ...identity },
            ...(body !== undefined && { body }),
          });
          const text = await response.text();
          expect(response.status).toBeLessThan(500);
          if (!response.ok) {
            expect(JSON.parse(text)).toEqual({
              code: expect.any(String),
              message: expect.any(String),
              details: expect.toSatisfy(() => true),
              hint: expect.toSatisfy(() => true),
            });
            return;
          }
          expect(Object.keys(operation.responses)).toContain(String(response.status));
          const target = operation.responses["200"]?.schema?.items?.$ref?.replace("#/definitions/", "");
          if (text === "" || target === undefined || search.includes("select=")) return;
          const columns = Object.keys(description.definitions[target]?.properties ?? {}).sort();
          for (const row of JSON.parse(text)) expect(Object.keys(row).sort()).toEqual(columns);
        }),
        { numRuns: REQUESTS_PER_OPERATION },
      );
    },
  );

  test("without parameters, every read succeeds", async () => {
    for (const [method, path, operation] of operationsIn(description)) {
      const needsArgument = operation.parameters?.some(({ required }) => required);
      if (method !== "GET" || needsArgument) continue;
      expect([path, (await rest.request(path.slice(1), { headers: identity })).status]).toEqual([path, 200]);
    }
  });
});
