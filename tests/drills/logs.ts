import { createClient, exchange } from "./client.ts";
import { type Drill, type Figure, none } from "./figure.ts";
import { makeAuthor, until, withSite } from "./site.ts";

const MARK = "never-to-be-logged";

/** Checks what the server logs about requests, and that it keeps running if the reader of its log exits. */
export const logs: Drill = {
  name: "logs",
  title: "the log contains one JSON line per request and no secrets",
  run: () =>
    withSite({}, async (site): Promise<Figure[]> => {
      const author = await makeAuthor(site);
      const client = createClient(site.url);
      const headers = {
        apikey: site.keys.anonKey,
        authorization: `Bearer ${author.token}`,
        "content-type": "application/json",
      };
      // The server writes its log in batches. Wait for the line of this request, so that the output after `before` is
      // only about the requests below.
      await client.ask("/favicon.svg");
      await until("the first log line", 5_000, async () => site.output().includes("/favicon.svg"));
      const before = site.output().length;
      const article = { author_id: author.id, title: MARK, content: `${MARK}\n{"level":"forged"}` };
      await client.ask("/rest/v1/articles", { method: "POST", headers, body: JSON.stringify(article) });
      await client.ask(`/rest/v1/articles?title=eq.${MARK}`, { headers });
      await client.ask(`/rest/v1/articles?${MARK}=eq.1`, { headers });
      await client.ask(`/articles?q=${MARK}`, {
        headers: { cookie: MARK, "user-agent": `${MARK}\t{}`, "x-request-id": MARK },
      });
      await client.ask("/auth/v1/token?grant_type=password", {
        method: "POST",
        headers,
        body: JSON.stringify({ email: `${MARK}@example.com`, password: MARK }),
      });
      await client.ask("/rest/v1/skills", {
        method: "POST",
        headers,
        body: `{"name":"${MARK}","proficiency":"${MARK}"}`,
      });
      await client.ask("/%0a%7b%22level%22:%22forged%22%7d%0d%0a%1b[31m", {});
      await exchange(
        site.port,
        'GET /"},{"level":"forged HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
      );
      await client.ask("/", {});
      await client.ask("/", {});
      const sent = 10;
      const requests = () =>
        site
          .output()
          .slice(before)
          .split("\n")
          .filter((line) => line.includes('"event":"request"'));
      await until("the last log line", 5_000, async () => requests().length >= sent);

      const lines = site
        .output()
        .slice(before)
        .split("\n")
        .filter((line) => line.startsWith("{"));
      const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const complete = parsed.filter(
        (line) =>
          line["event"] === "request" &&
          ["requestId", "path", "status", "time", "ms"].every((name) => line[name] !== undefined),
      );
      const forged = parsed.filter(({ level }) => level === "forged");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the log must not contain these characters
      const raw = /[\u0000-\u0009\u000b-\u001f\u007f]/.test(site.output());
      const leaked = lines.filter(
        (line) => line.includes(MARK) || line.includes(author.token) || line.includes(author.password),
      );

      // Close the pipes, as if the supervisor had exited.
      const { stdout, stderr } = site.child();
      stdout?.destroy();
      stderr?.destroy();
      const responses = [];
      for (let at = 0; at < 20; at++)
        responses.push(await client.ask(at % 2 ? "/articles?q=pipe" : "/healthz"));
      client.close();
      const failed = responses.filter(({ status }) => status !== 200).length;
      return [
        {
          goal: "one line per request with id, path, status and time",
          measured: `${complete.length} lines for ${sent} requests`,
          ok: complete.length === sent && requests().length === sent,
        },
        none(
          "control characters escaped",
          forged.length + Number(raw),
          `${lines.length} lines forged or with control characters`,
        ),
        none("no content, password or token", leaked.length, `${lines.length} lines`),
        none(
          "the server keeps running when the reader of its log exits",
          failed + Number(site.child().exitCode !== null),
          `${responses.length} failed`,
        ),
      ];
    }),
};
