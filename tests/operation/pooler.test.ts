import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Keys, signKeys } from "../../server/auth/keys.ts";
import { type ExternalServer, startExternalServer } from "../support/external-server.ts";
import { hasPooler, type Pooler, startPooler } from "../support/pooler.ts";
import { clientOf, type SiteHere, startHere, startShared } from "../support/process.ts";

const isInstalled = await hasPooler();

// Skipped if PgBouncer is not installed and cannot be installed.
describe.skipIf(!isInstalled)("a site behind PgBouncer in transaction mode", () => {
  const secret = randomBytes(32).toString("hex");
  let server: ExternalServer;
  let pooler: Pooler;
  let direct: string;
  let keys: Keys;
  let sites: [SiteHere, SiteHere];

  const viaPooler = (address: string) => Object.assign(new URL(address), { port: String(pooler.port) }).href;

  beforeAll(async () => {
    server = await startExternalServer();
    pooler = await startPooler(server.port, "operator", "a password of the operator", "transaction", 3);
    direct = await server.createDatabase();
    keys = await signKeys(secret);
    const settings = { DATABASE_URL: viaPooler(direct), AUTH_JWT_SECRET: secret, SEED: "demo" };
    // Both sites start at the same moment on an empty database, so both try to migrate and to seed it.
    sites = await Promise.all([startShared(settings), startShared(settings)]);
  });
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.stop()));
    await pooler.stop();
    await server.stop();
  });

  const service = () => clientOf(sites[0], keys.serviceKey);

  async function addMember() {
    const account = { email: `${randomBytes(4).toString("hex")}@example.com`, password: "a good password" };
    const { data, error } = await service().auth.admin.createUser({ ...account, email_confirm: true });
    if (error) throw error;
    const client = clientOf(sites[1], keys.anonKey);
    await client.auth.signInWithPassword(account);
    return { id: data.user.id, client };
  }

  test("two sites behind PgBouncer share one database, which only one of them seeds", async () => {
    expect(sites.filter((site) => site.stdout().includes("Sign in as"))).toHaveLength(1);
    for (const site of sites) {
      expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
      const { data } = await clientOf(site, keys.anonKey).from("articles").select("id");
      expect(data?.length).toBeGreaterThan(0);
    }
  });

  test("a page shows an article written through another site on the same database", async () => {
    const { id, client } = await addMember();
    const pageOf = async () => (await fetch(`${sites[0].url}/articles`)).text();
    await pageOf();
    await client.from("articles").insert({ author_id: id, title: "Written next door", content: "x" });
    await vi.waitFor(async () => expect(await pageOf()).toContain("Written next door"), { timeout: 10_000 });
  });

  test("on three shared connections, each request runs as its own caller", async () => {
    const members = await Promise.all(Array.from({ length: 6 }, addMember));
    const visitor = clientOf(sites[0], keys.anonKey);
    const write = async (index: number) => {
      const author = members[index % 6];
      const other = members[(index + 1) % 6];
      if (!author || !other) throw new Error("There is no such member");
      const link = (owner: string) => ({ profile_id: owner, title: author.id, url: "/", category: "Test" });
      const [own, foreign, anonymous] = await Promise.all([
        author.client.from("useful_links").insert(link(author.id)),
        author.client.from("useful_links").insert(link(other.id)),
        visitor.from("useful_links").insert(link(author.id)),
      ]);
      return [own.status, foreign.status, anonymous.status];
    };
    for (let round = 0; round < 6; round++) {
      const calls = Array.from({ length: 10 }, (_, index) => write(index));
      expect(new Set((await Promise.all(calls)).map(String))).toEqual(new Set(["201,403,401"]));
    }
    const { data } = await service().from("useful_links").select("profile_id,title").eq("category", "Test");
    expect(data?.length).toBe(60);
    expect(data?.every((row) => row.profile_id === row.title)).toBe(true);
  });

  test("a login with only the role authenticator can serve a site through PgBouncer", async () => {
    await server.query("create role tenant login password 'x' in role authenticator");
    const address = new URL(direct);
    Object.assign(address, { username: "tenant", password: "x" });
    const site = await startHere({ DATABASE_URL: viaPooler(address.href), AUTH_JWT_SECRET: secret });
    expect((await clientOf(site, keys.anonKey).from("articles").select("id").limit(1)).data).toHaveLength(1);
  });
});
