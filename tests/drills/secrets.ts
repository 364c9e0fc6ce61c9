import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { createClient } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { type DrillSite, makeAuthor, withSite } from "./site.ts";

const bundle = path.resolve(import.meta.dirname, "../../build/client");

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
}

/** Returns what must not show a secret: the command lines and environments of the server and all its child processes. */
async function processes(pid: number): Promise<string[]> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const children = (await read(`task/${pid}/children`)).trim().split(/\s+/).filter(Boolean).map(Number);
  const own = [await read("cmdline"), await read("environ")];
  return [...own, ...(await Promise.all(children.map(processes))).flat()];
}

async function wrongMode(file: string, mode: number): Promise<string | undefined> {
  const actual = (await stat(file)).mode & 0o777;
  return actual === mode ? undefined : `${path.basename(file)} ${actual.toString(8)}`;
}

async function fetchResponses(site: DrillSite, token: string): Promise<string[]> {
  const client = createClient(site.url);
  const paths = [
    "/",
    "/profile",
    "/articles",
    "/useful-links",
    "/sample-code",
    "/nowhere",
    "/articles.data",
    "/_root.data",
    "/articles.data?pages=10",
    "/readyz",
    "/keys.json",
    "/data/keys.json",
    "/.env",
    "/../data/keys.json",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/rest/v1/",
    "/rest/v1/profiles",
    "/auth/v1/settings",
    "/auth/v1/health",
    "/auth/v1/user",
    "/metrics",
  ];
  const headers = { apikey: site.keys.anonKey, authorization: `Bearer ${token}` };
  const responses = await Promise.all(
    paths.flatMap((each) => [client.ask(each), client.ask(each, { headers })]),
  );
  client.close();
  return responses.map(({ body, headers: sent }) => `${JSON.stringify(sent)}\n${body}`);
}

/** Checks how secrets are stored, and that none is in the bundle, a response, the log or the process list. */
export const secrets: Drill = {
  name: "secrets",
  title: "secrets are stored privately, and none is in the bundle, a page, the log or the process list",
  run: () =>
    withSite({}, async (site): Promise<Figure[]> => {
      const author = await makeAuthor(site);
      const file = (name: string) => path.join(site.dataDir, name);
      const postgres = await readFile(file("postgres.password"), "utf8");
      const hidden = [site.keys.jwtSecret, site.keys.serviceKey, postgres];
      const hasSecret = (text: string) => hidden.some((secret) => text.includes(secret));
      const bits = [site.keys.jwtSecret, postgres].map(
        (secret) => Buffer.from(secret, "base64url").length * 8,
      );
      const modes = (
        await Promise.all([
          wrongMode(file("keys.json"), 0o600),
          wrongMode(file("postgres.password"), 0o600),
          wrongMode(site.dataDir, 0o700),
          wrongMode(file("postgres"), 0o700),
        ])
      ).filter((each) => each !== undefined);

      const files = await filesBelow(bundle);
      const texts = await Promise.all(files.map((each) => readFile(each, "latin1")));
      const suspicious = files.filter((_, at) =>
        /service_role|jwtSecret|AUTH_JWT_SECRET|DATABASE_URL|SUPABASE_SECRET|sb_secret_|eyJhbGciOi|BEGIN [A-Z ]*PRIVATE KEY/.test(
          texts[at] ?? "",
        ),
      );
      const responses = await fetchResponses(site, author.token);
      const listed = await processes(site.child().pid ?? 0);
      return [
        {
          goal: "secrets have at least 256 bits",
          measured: `${bits.join(" and ")} bits`,
          ok: bits.every((each) => each >= 256),
        },
        none(
          "secret files have mode 0600, and their folders 0700",
          modes.length,
          `4 with another mode: ${modes}`,
        ),
        none("no secret in the bundle", suspicious.length, `${files.length} files ${suspicious}`),
        none(
          "no secret in a page or response",
          responses.filter(hasSecret).length,
          `${responses.length} responses`,
        ),
        none(
          "no secret in the log",
          Number(hasSecret(site.output())),
          `1 log of ${site.output().length} characters`,
        ),
        none(
          "no secret in the process list",
          listed.filter(hasSecret).length,
          `${listed.length / 2} processes`,
        ),
      ];
    }),
};
