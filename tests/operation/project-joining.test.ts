// Tests invitation links on a site with a Supabase project (contract, "Invitation links": "With a Supabase project, …").
import { EventEmitter } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createAdminClient } from "../../server/admin/admin-client.ts";
import type { AdminContext } from "../../server/admin/admin-context.ts";
import { createLink, listLinks } from "../../server/admin/invitation-links.ts";
import { createApp } from "../../server/app.ts";
import { supabaseBackend } from "../../server/backends/supabase.ts";
import type { BackendEvents } from "../../server/backends/types.ts";
import { readSettings } from "../../server/config/settings.ts";
import { newAddress, SITE, startTestAuth } from "../support/auth.ts";
import { makeMember } from "../support/database.ts";
import { IN_PROCESS } from "../support/in-process.ts";

/** How the project answers `/auth/v1/invite` instead of inviting. Auth's answers are those of its `internal/api/invite.go`. */
let answerInstead: ((invite: () => Promise<Response>) => Promise<Response>) | undefined;
const invitations: { url: string; body: unknown; authorization: string | undefined }[] = [];

const auth = await startTestAuth();
const project = new Hono()
  .post("/auth/v1/invite", async (c) => {
    const request = c.req.raw.clone();
    invitations.push({
      url: c.req.url,
      body: await c.req.json(),
      authorization: c.req.header("authorization"),
    });
    const invite = async () => auth.app.fetch(request, c.env);
    return answerInstead ? answerInstead(invite) : invite();
  })
  .all("*", (c) => auth.app.fetch(c.req.raw, c.env));
const server = createAdaptorServer({ fetch: project.fetch, createServer }) as Server;
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

const settings = {
  ...readSettings({
    SUPABASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SUPABASE_PUBLISHABLE_KEY: auth.keys.anonKey,
    SUPABASE_SECRET_KEY: auth.keys.serviceKey,
  }),
  siteUrl: SITE,
  trustedProxies: 1,
};
if (!settings.supabase) throw new Error("The project's settings are missing");
const events: BackendEvents = new EventEmitter();
const sentEmails: boolean[] = [];
events.on("email", (isSent) => void sentEmails.push(isSent));
const backend = await supabaseBackend(settings, settings.supabase).start({
  events,
  log: auth.log,
  print: () => undefined,
});
const app = await createApp(settings, backend, events, auth.log);
afterAll(async () => {
  await backend.close(performance.now());
  server.close();
  server.closeAllConnections();
  await auth.stop();
});
beforeEach(() => {
  answerInstead = undefined;
  invitations.length = 0;
  sentEmails.length = 0;
});

const site = createAdminClient(await backend.adminAccess());
const context: AdminContext = { site, settings, sendEmail: undefined, record: async () => undefined };

async function makeLink(people = 2): Promise<string> {
  const { link = "" } = await createLink(context, { people, days: 7, domains: "" });
  return new URL(link).pathname;
}

const usedPlaces = async () => (await listLinks(site))[0]?.used;

const ask = (path: string, init?: RequestInit) => app.fetch(new Request(`${SITE}${path}`, init), IN_PROCESS);

async function join(path: string, email: string) {
  const response = await ask(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
      Origin: SITE,
    },
    body: new URLSearchParams({ email }).toString(),
  });
  return { status: response.status, text: await response.text() };
}

const answerTo = (email: string) =>
  `We have sent an email to ${email}. Open the link in it to choose a password.`;

async function account(email: string) {
  const { rows } = await auth.admin.query("select id, email_confirmed_at from auth.users where email = $1", [
    email,
  ]);
  return rows[0];
}

let people = 0;
const newEmail = () => `joiner-${++people}@example.com`;

test("the project sends its own invitation, which leads to the profile page, and takes a place immediately", async () => {
  const path = await makeLink();
  const email = newEmail();
  const { status, text } = await join(path, email);
  expect(status).toBe(200);
  expect(text).toContain(answerTo(email));
  await expect.poll(() => sentEmails).toEqual([true]);
  expect(invitations).toEqual([
    {
      url: expect.stringContaining(`/auth/v1/invite?redirect_to=${encodeURIComponent(`${SITE}/profile`)}`),
      body: { email },
      authorization: `Bearer ${auth.keys.serviceKey}`,
    },
  ]);
  expect(await usedPlaces()).toBe(1);
  const { id } = await account(email);
  const entry = () =>
    auth.admin
      .query("select * from public.operator_log where target = $1", [email])
      .then(({ rows }) => rows[0]);
  await expect
    .poll(entry)
    .toMatchObject({ action: "member.invited", operator_id: id, details: { link: expect.any(String) } });
});

test("an account with an unused invitation gets another one, and no further place is taken", async () => {
  const path = await makeLink();
  const email = newEmail();
  await join(path, email);
  await expect.poll(() => sentEmails).toEqual([true]);
  expect((await join(path, email)).text).toContain(answerTo(email));
  await expect.poll(() => sentEmails).toEqual([true, true]);
  expect(invitations).toHaveLength(2);
  expect(await usedPlaces()).toBe(1);
});

test("an address of a member gets the same answer, no invitation and no place", async () => {
  const path = await makeLink();
  const email = newEmail();
  await makeMember(auth.admin, email);
  expect((await join(path, email)).text).toContain(answerTo(email));
  expect(invitations).toEqual([]);
  expect(await usedPlaces()).toBe(0);
});

const tooMany = { code: "over_email_send_rate_limit", message: "email rate limit exceeded" };
test.each([
  ["its limit of emails", 429, tooMany, "over_email_send_rate_limit"],
  [
    "an address that it doesn't accept",
    400,
    { code: "email_address_invalid", message: "x" },
    "email_address_invalid",
  ],
  [
    "a failure",
    500,
    { code: "unexpected_failure", message: "Error sending invite email" },
    "AuthRetryableFetchError",
  ],
])(
  "after %s, the answer is the same, the log has the reason, and the place is free again",
  async (_case, status, body, reason) => {
    const path = await makeLink();
    const email = newEmail();
    answerInstead = async () =>
      Response.json(body, { status, headers: { "X-Supabase-Api-Version": "2024-01-01" } });
    expect((await join(path, email)).text).toContain(answerTo(email));
    await expect.poll(() => sentEmails).toEqual([false]);
    await expect.poll(usedPlaces).toBe(0);
    await expect
      .poll(() => auth.lines.filter((line) => line.includes("mail.failed")).at(-1))
      .toContain(`"kind":"join","reason":"${reason}"`);
  },
);

test("a form that is sent twice takes one place, and the project sends one invitation", async () => {
  const path = await makeLink();
  const email = newEmail();
  const { promise: bothResponded, resolve: continueInviting } = Promise.withResolvers<void>();
  answerInstead = async (invite) => {
    await bothResponded;
    return invite();
  };
  for (const { text } of await Promise.all([join(path, email), join(path, email)])) {
    expect(text).toContain(answerTo(email));
  }
  continueInviting();
  await expect.poll(() => sentEmails).toEqual([true]);
  expect(invitations).toHaveLength(1);
  expect(await usedPlaces()).toBe(1);
});

test("after the project could not send an invitation, the same person can ask for another one immediately", async () => {
  const path = await makeLink();
  const email = newEmail();
  answerInstead = async () => Response.json({ message: "x" }, { status: 500 });
  await join(path, email);
  await expect.poll(usedPlaces).toBe(0);
  answerInstead = undefined;
  expect((await join(path, email)).text).toContain(answerTo(email));
  await expect.poll(() => sentEmails).toEqual([false, true]);
  expect(await usedPlaces()).toBe(1);
});

test("if the connection ends after the project has created the account, the place stays taken", async () => {
  const path = await makeLink();
  const email = newEmail();
  answerInstead = async () => {
    await auth.service.auth.admin.generateLink({ type: "invite", email });
    return new Response("", { status: 504 });
  };
  await join(path, email);
  await expect.poll(() => sentEmails).toEqual([false]);
  expect(await account(email)).toMatchObject({ email_confirmed_at: null });
  expect(await usedPlaces()).toBe(1);
});

test("of ten people who send the form at the same moment, one gets the only place", async () => {
  const path = await makeLink(1);
  const results = await Promise.all(Array.from({ length: 10 }, () => join(path, newEmail())));
  expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  await expect.poll(() => sentEmails).toEqual([true]);
  expect(invitations).toHaveLength(1);
  expect(await usedPlaces()).toBe(1);
});
