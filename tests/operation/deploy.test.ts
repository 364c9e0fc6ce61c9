import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string) => readFile(path.join(root, file), "utf8");

test("the programs that the guide runs in the image exist", async () => {
  const guides = `${await read("docs/deploying.md")}${await read("Dockerfile")}`;
  const programs = [...guides.matchAll(/\bdist\/(server\/[\w/-]+)\.js/g)].map(
    ([, file = ""]) => `${file}.ts`,
  );
  expect(programs).toContain("server/cli/member.ts");
  expect(programs.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("the Docker image uses the same major version of Node as package.json", async () => {
  const { devDependencies } = JSON.parse(await read("package.json"));
  const major = Number.parseInt(devDependencies.node, 10);
  const images = [...(await read("Dockerfile")).matchAll(/^FROM node:(\d+)-/gm)].map(
    ([, version]) => version,
  );
  expect(images).toEqual([String(major), String(major)]);
});

test("the Docker image and the systemd units run Node with the same options and variables as npm start", async () => {
  const { arguments: options, environment } = JSON.parse(await read("server/node-options.json"));
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const image = await read("Dockerfile");
  const entry = /^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? "[]";
  expect(JSON.parse(entry)).toEqual(["node", ...options]);
  expect(/^ENV (.*)$/m.exec(image)?.[1]?.split(" ")).toEqual(expect.arrayContaining(variables));
  for (const file of ["techfolio.service", "techfolio@.service"]) {
    const unit = await read(`deploy/${file}`);
    expect(/^ExecStart=\S+ (.*) \S+\/main\.js$/m.exec(unit)?.[1]?.split(" ")).toEqual(options);
    expect(/^Environment=(.*)$/m.exec(unit)?.[1]?.split(" ")).toEqual(expect.arrayContaining(variables));
  }
});

test("compose.yaml passes all settings to the site, except those that the image sets and those of a Supabase project", async () => {
  const settings = [...(await read(".env.example")).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const site = /^x-site:.*?^services:/ms.exec(await read("compose.yaml"))?.[0] ?? "";
  const passed = [...site.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
  const wanted = settings.filter((name) => !/^(HOST|PORT|DATA_DIR|SUPABASE_.*)$/.test(name));
  expect(passed.toSorted()).toEqual(wanted.toSorted());
});

test("the unit for several processes differs from the unit for one only in its port, its descriptions and what it may use", async () => {
  const settingsOf = (text: string) =>
    text.split("\n").filter((line) => line !== "" && !/^(#|Description=|Memory|Tasks)/.test(line));
  const single = settingsOf(await read("deploy/techfolio.service"));
  const several = settingsOf((await read("deploy/techfolio@.service")).replace(" PORT=%i", ""));
  expect(several).toEqual(single);
});

test.each(["techfolio.service", "techfolio@.service", "techfolio-backup.service"])(
  "the systemd unit %s runs an existing program of the installed package with the Node next to it",
  async (unit) => {
    const text = await read(`deploy/${unit}`);
    const [, program] = /current\/node_modules\/techfolio\/dist\/(server\/[a-z/]+)\.js/.exec(text) ?? [];
    expect(existsSync(path.join(root, `${program}.ts`))).toBe(true);
    expect(text).toContain("ExecStart=/opt/techfolio/current/node_modules/node/bin/node ");
  },
);

test("a failed nightly backup starts a shipped unit that sends a notice", async () => {
  const [, notice = ""] = /^OnFailure=(\S+)$/m.exec(await read("deploy/techfolio-backup.service")) ?? [];
  expect(await read(`deploy/${notice}`)).toMatch(/^ExecStart=.*backup of Techfolio on %H failed/m);
});

test("one service in compose.yaml builds the image of the processes, which is never pulled from a registry", async () => {
  const text = await read("compose.yaml");
  const [, template = "", services = ""] = /^x-site:.*?\n(.*?)^services:\n(.*?)^networks:/ms.exec(text) ?? [];
  expect(template).toMatch(/^ {2}pull_policy: never$/m);
  expect(template).not.toMatch(/^ {2}build:/m);
  expect(services.match(/^ {4}build:/gm)).toHaveLength(1);
});

test("every service in compose.yaml drops its capabilities, gains no privileges, and has limits on memory and processes", async () => {
  const text = await read("compose.yaml");
  const [, template = "", services = ""] = /^x-site:.*?\n(.*?)^services:\n(.*?)^networks:/ms.exec(text) ?? [];
  const blocks = services.split(/^ {2}(?=\S+:$)/m).slice(1);
  expect(blocks.map((block) => block.split(":")[0])).toEqual(["site1", "site2", "postgres", "proxy"]);
  for (const block of blocks) {
    const settings = block.includes("<<: *site") ? template : block;
    for (const setting of [
      /^ +cap_drop: \[ALL\]$/m,
      /^ +security_opt: \["no-new-privileges:true"\]$/m,
      /^ +mem_limit: \d+[mg]$/m,
      /^ +pids_limit: \d+$/m,
    ])
      expect(settings).toMatch(setting);
  }
});

test.each(["techfolio.service", "techfolio@.service", "techfolio-backup.service"])(
  "the systemd unit %s limits memory and processes",
  async (unit) => {
    const text = await read(`deploy/${unit}`);
    expect(text).toMatch(/^MemoryMax=\d+G$/m);
    expect(text).toMatch(/^TasksMax=\d+$/m);
  },
);
