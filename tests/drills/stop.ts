import { atRate, createClient } from "./client.ts";
import { type Drill, type Figure, none, within } from "./figure.ts";
import { makeAuthor, withSite } from "./site.ts";

const RATE = 50;

/**
 * Sends SIGTERM to the server while a client sends 50 requests a second, alternately for a write and for a page. Then
 * restarts the server, and checks that it has kept every acknowledged write.
 */
export const stop: Drill = {
  name: "stop",
  title: "SIGTERM at 50 requests a second loses no acknowledged write",
  run: (scale) =>
    withSite({}, async (site): Promise<Figure[]> => {
      const rounds = scale === "long" ? 10 : 1;
      const author = await makeAuthor(site);
      const headers = {
        apikey: site.keys.anonKey,
        authorization: `Bearer ${author.token}`,
        "content-type": "application/json",
      };
      const acknowledged: string[] = [];
      let slowest = 0;
      let wrongExits = 0;

      for (let round = 0; round < rounds; round++) {
        const client = createClient(site.url);
        const ask = async (at: number) => {
          const id = crypto.randomUUID();
          const row = { id, profile_id: author.id, title: "Drill", url: "/", category: "Drill" };
          const { status } =
            at % 2 === 0
              ? await client.ask("/rest/v1/useful_links", {
                  method: "POST",
                  headers,
                  body: JSON.stringify(row),
                })
              : await client.ask(`/articles?q=${at}`);
          if (at % 2 === 0 && status === 201) acknowledged.push(id);
        };
        const load = atRate(RATE, 3_000, ask);
        await new Promise((resolve) => setTimeout(resolve, 1_200 + round * 7));
        const { code, milliseconds } = await site.end("SIGTERM");
        if (code !== 0) wrongExits += 1;
        slowest = Math.max(slowest, milliseconds);
        await load;
        client.close();
        await site.start();
      }

      const admin = await site.admin();
      const { rows } = await admin.query<{ id: string }>("select id from public.useful_links");
      await admin.end();
      const kept = new Set(rows.map(({ id }) => id));
      const lost = acknowledged.filter((id) => !kept.has(id)).length;
      const times = `${rounds} x SIGTERM`;
      return [
        none(`${times}: 0 acknowledged writes lost`, lost, `${acknowledged.length} acknowledged`),
        within(`${times}: exit within 10 s`, slowest, 10_000),
        none(`${times}: exit code 0`, wrongExits, `${rounds} exits with another code`),
      ];
    }),
};
