import { expect, test } from "vitest";
import { readKeys } from "../support/data-dir.ts";
import { clientOf, startProcess, temporaryFolder } from "../support/process.ts";

/** What differs between two answers with the same page. */
const OWN = new Set(["date", "x-request-id"]);

test("a page from memory is the same answer, has its own id and line in the log, and ends with a write", async () => {
  const dataDir = await temporaryFolder();
  const site = await startProcess({ DATA_DIR: dataDir, SEED: "none" });
  await site.running();
  const service = clientOf(site, (await readKeys(dataDir)).serviceKey);
  const { data, error } = await service.auth.admin.createUser({
    email: "ada@example.com",
    email_confirm: true,
  });
  if (error) throw error;
  const author_id = data.user.id;
  const add = (title: string) =>
    service.from("articles").insert({ author_id, title, content: title }).throwOnError();
  await add("Before");

  const answers: { headers: [string, string][]; text: string; id: string | null }[] = [];
  for (let visits = 0; visits < 4; visits++) {
    const response = await fetch(`${site.url}/articles`);
    expect(response.status).toBe(200);
    answers.push({
      headers: [...response.headers].filter(([name]) => !OWN.has(name)).sort(),
      text: await response.text(),
      id: response.headers.get("x-request-id"),
    });
  }
  const [first] = answers;
  expect(first?.text).toContain("Before");
  for (const { headers, text } of answers) {
    expect(headers).toEqual(first?.headers);
    expect(text).toBe(first?.text);
  }
  const ids = answers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(answers.length);
  for (const id of ids) {
    const lines = () =>
      site
        .stderr()
        .split("\n")
        .filter((line) => line.includes(String(id)));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? "")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      event: "request",
      requestId: id,
      method: "GET",
      path: "/articles",
      status: 200,
      ms: expect.any(Number),
    });
  }

  await add("After");
  expect(await (await fetch(`${site.url}/articles`)).text()).toContain("After");
});
