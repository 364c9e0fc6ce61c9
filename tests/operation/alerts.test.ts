import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { backUp } from "../support/backups.ts";
import { type Result, runCommand } from "../support/command.ts";
import { temporaryFolder } from "../support/process.ts";
import { startServer } from "../support/server.ts";

const DEPLOY = path.resolve(import.meta.dirname, "../../deploy");
const RULES = path.join(DEPLOY, "prometheus-rules.yml");
const RULE_TESTS = path.join(import.meta.dirname, "alerts.yml");
const METRICS_TOKEN = "a-token-of-23-characters";

const site = await startServer({ METRICS_TOKEN });
afterAll(() => site.stop());

const hasPromtool = await runCommand("promtool", ["--version"]).then(
  ({ code }) => code === 0,
  () => false,
);
const promtool = (...args: string[]): Promise<Result> => runCommand("promtool", args);

async function expressions(): Promise<string[]> {
  const dashboard = JSON.parse(await readFile(path.join(DEPLOY, "grafana-dashboard.json"), "utf8"));
  const panels: { targets: { expr: string }[] }[] = dashboard.panels;
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

test("Prometheus accepts the rules, and each alert fires when it should and only then", async ({ skip }) => {
  skip(!hasPromtool, "promtool, part of Debian's package prometheus, is not installed");
  expect(await promtool("check", "rules", RULES)).toMatchObject({ code: 0 });
  const tested = await promtool("test", "rules", RULE_TESTS);
  expect(tested.code, tested.stdout + tested.stderr).toBe(0);
});

test("alerts.yml has a test that fires each alert in the rules", async () => {
  const names = (await readFile(RULES, "utf8")).matchAll(/- alert: (\w+)/g);
  const tests = await readFile(RULE_TESTS, "utf8");
  const untested = [...names].filter(
    ([, name]) => !new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`).test(tests),
  );
  expect(untested).toEqual([]);
});

test("the site has every metric that the alerts and the dashboard use", async () => {
  // The time of the last backup exists only after a backup.
  await backUp({ DATA_DIR: site.dataDir });
  await fetch(site.url);
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${site.url}/metrics`, { headers })).text();
  const known = new Set([...metrics.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name));
  const text = [await readFile(RULES, "utf8"), ...(await expressions())].join("\n");
  const used = text.match(/\b(techfolio|nodejs|process)_\w+/g) ?? [];
  expect(used.length).toBeGreaterThan(30);
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});

test("Prometheus can parse the dashboard's queries", async ({ skip }) => {
  skip(!hasPromtool, "promtool, part of Debian's package prometheus, is not installed");
  const queries = (await expressions()).map((query) =>
    query.replaceAll("$__rate_interval", "5m").replaceAll("$job", ".+"),
  );
  const rules = queries.map((expr, at) => ({ record: `query:${at}`, expr }));
  const file = path.join(await temporaryFolder(), "rules.yml");
  // YAML includes JSON.
  await writeFile(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  const { code, stdout, stderr } = await promtool("check", "rules", file);
  expect(code, stdout + stderr).toBe(0);
});
