import { readFile } from "node:fs/promises";
import { createCommunity } from "../support/members.ts";
import { atRate, createClient, inParallel, type Outcome, type Question } from "./client.ts";
import { type Drill, type Figure, none, quantile, within } from "./figure.ts";
import { now } from "./running-clock.ts";
import { type Author, type DrillSite, makeAuthor, until, withSite } from "./site.ts";

const MB = 1024 * 1024;
/** What the server may hold at most while it is flooded. */
const MOST_MB = 512;
const FACTOR = 10;
/** One address alone could not take more than its share. */
const ADDRESSES = 100;
const addressOf = (at: number) => `127.0.2.${(at % ADDRESSES) + 1}`;

/** One thing of which the server can do only so much. */
interface Kind {
  name: string;
  request(at: number): [path: string, question: Question];
}

function kindsOf(site: DrillSite, author: Author): Kind[] {
  const headers = { apikey: site.keys.anonKey };
  const credentials = JSON.stringify({ email: author.email, password: author.password });
  return [
    { name: "new pages", request: (at) => [`/articles?q=word${at}`, {}] },
    {
      name: "sign-ins",
      request: () => [
        "/auth/v1/token?grant_type=password",
        { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: credentials },
      ],
    },
    {
      name: "searches through everything",
      // One letter, which no index finds and no article holds.
      request: () => ["/rest/v1/articles?select=id&content=ilike.*q*", { headers }],
    },
  ];
}

/** Gives searches through articles something to read. */
async function publishMuch(site: DrillSite, author: Author): Promise<void> {
  const { admin } = createCommunity(site);
  for (let hundred = 0; hundred < 8; hundred++) {
    const articles = Array.from({ length: 100 }, (_, number) => ({
      author_id: author.id,
      title: `Article ${number}`,
      content: `${number} `.repeat(2_500),
    }));
    await admin.from("articles").insert(articles).throwOnError();
  }
}

async function residentMemory(site: DrillSite): Promise<number> {
  const status = await readFile(`/proc/${site.child().pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** How many a second are answered when each of a few clients waits for its answer. */
async function capacity(site: DrillSite, kind: Kind, milliseconds: number): Promise<number> {
  const client = createClient(site.url);
  const begin = now();
  let served = 0;
  let at = 1_000_000;
  await inParallel(8, async () => {
    const [path, question] = kind.request(at++);
    const { status } = await client.ask(path, { ...question, from: addressOf(at) });
    if (status === 200) served += 1;
    return now() - begin < milliseconds;
  });
  client.close();
  return served / ((now() - begin) / 1000);
}

async function flood(site: DrillSite, kind: Kind, milliseconds: number): Promise<Figure[]> {
  const able = await capacity(site, kind, Math.min(3_000, milliseconds));
  const rate = Math.ceil(able * FACTOR);
  const client = createClient(site.url);
  await Promise.all(["/", "/favicon.svg"].map((path) => client.ask(path)));
  const others: Outcome[] = [];
  let most = 0;
  const look = setInterval(async () => {
    most = Math.max(most, await residentMemory(site));
    others.push(await client.ask("/"), await client.ask("/favicon.svg"));
  }, 250);
  const answers = await atRate(rate, milliseconds, (at) => {
    const [path, question] = kind.request(at);
    return client.ask(path, { ...question, from: addressOf(at) });
  });
  clearInterval(look);
  const back = await until(`${kind.name} after the flood`, 30_000, async () => {
    const begin = now();
    const { status } = await client.ask(...kind.request(2_000_000));
    return status === 200 && now() - begin < 1_000;
  });
  client.close();

  const served = answers.filter(({ status }) => status === 200);
  const surplus = answers.filter(({ status }) => status !== 200);
  const wrong = surplus.filter(
    ({ status, headers }) => (status !== 429 && status !== 503) || headers["retry-after"] === undefined,
  );
  const waited = surplus.map((answer) => answer.milliseconds);
  const told = [...new Set(wrong.map(({ status, failure }) => status || failure))].join(" ");
  const name = `${Math.round(able)}/s ${kind.name}, ${rate}/s asked`;
  return [
    none(
      `${name}: the surplus gets 429 or 503 with Retry-After`,
      wrong.length,
      `${surplus.length} otherwise, ${served.length} served ${told}`,
    ),
    within(
      `${name}: within 100 ms (median ${Math.round(quantile(waited, 0.5))} ms, 99 %)`,
      quantile(waited, 0.99),
      100,
    ),
    {
      asked: `${name}: memory bounded (${MOST_MB} MB)`,
      measured: `${Math.round(most / MB)} MB`,
      ok: most < MOST_MB * MB,
    },
    none(
      `${name}: cached pages and static files meanwhile`,
      others.filter(({ status }) => status !== 200).length,
      `${others.length} not served, slowest ${Math.round(
        quantile(
          others.map((each) => each.milliseconds),
          1,
        ),
      )} ms`,
    ),
    within(`${name}: normal answers within 5 s afterwards`, back, 5_000),
  ];
}

/** Ten times what the server can do, of each thing that costs it something. */
export const overload: Drill = {
  name: "overload",
  title: "ten times what it can serve",
  run: (scale) =>
    withSite({ settings: { SEED: "demo" } }, async (site) => {
      const author = await makeAuthor(site);
      await publishMuch(site, author);
      const figures: Figure[] = [];
      for (const kind of kindsOf(site, author)) {
        figures.push(...(await flood(site, kind, scale === "long" ? 20_000 : 750)));
      }
      return figures;
    }),
};
