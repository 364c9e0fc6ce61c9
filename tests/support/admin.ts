import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import { createAdmin } from "../../server/admin/admin-routes.ts";
import { operatorsInDatabase, operatorsInProject } from "../../server/admin/operator.ts";
import { createProtect } from "../../server/api/pipeline.ts";
import type { Email } from "../../server/auth/send-email.ts";
import { type Account, SITE, startTestAuth, type TestAuth } from "./auth.ts";
import { inProcess } from "./in-process.ts";
import { statusInProject } from "./project.ts";

export interface TestAdmin {
  auth: TestAuth;
  mails: Email[];
  /** Calls `/admin/v1` with the token. A body makes it a POST: text and streams are sent unchanged, and other values as JSON. */
  call(
    token: string | undefined,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  operator(): Promise<SignedInMember>;
  member(): Promise<SignedInMember>;
  stop(): Promise<void>;
}

const isRaw = (body: unknown) => typeof body === "string" || body instanceof ReadableStream;

export interface SignedInMember extends Account {
  client: SupabaseClient;
  token(): Promise<string>;
}

/** `/admin/v1` on the built-in backend, or on a Supabase project (which the built-in backend imitates over HTTP). */
export async function startTestAdmin(
  backend: "built-in" | "project",
  { hasMail = true, operatorsNeedPasskey = false } = {},
): Promise<TestAdmin> {
  const auth = await startTestAuth();
  const mails: Email[] = [];
  const project = new Hono().all("*", async (c) => {
    const response = await auth.app.fetch(c.req.raw, c.env);
    return new Response(response.body, {
      status: statusInProject(c.req.path, response.status),
      headers: response.headers,
    });
  });
  const server = createAdaptorServer({ fetch: project.fetch, createServer }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const projectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isProject = backend === "project";
  const admin = createAdmin({
    protect: isProject ? createProtect({ trustedProxies: 0 }) : auth.pipeline.protect,
    addressOf: () => "local",
    operators: isProject
      ? operatorsInProject({ url: projectUrl, key: auth.keys.anonKey })
      : operatorsInDatabase(auth.database, auth.tokens),
    adminAccess: async () => ({
      url: isProject ? projectUrl : SITE,
      serviceKey: auth.keys.serviceKey,
      ifUnreachable: "",
      ifKeyRejected: "",
      ...(!isProject && { fetch: async (input, init) => auth.app.request(new Request(input, init)) }),
    }),
    settings: {
      siteUrl: SITE,
      siteName: "Techfolio",
      singleSignOn: undefined,
      mailTemplates: undefined,
      passwordSignIn: true,
      operatorsNeedPasskey,
      acceptsReports: true,
    },
    sendEmail: hasMail ? async (message) => void mails.push(message) : undefined,
    log: auth.log,
    readState: async () => ({}),
    onWrite: auth.onWrite,
  });

  const app = inProcess(admin);

  async function member(): Promise<SignedInMember> {
    const account = await auth.member();
    const client = auth.client();
    const { error } = await client.auth.signInWithPassword(account);
    if (error) throw error;
    const token = async () => (await client.auth.getSession()).data.session?.access_token ?? "";
    return { ...account, client, token };
  }

  return {
    auth,
    mails,
    member,
    async operator() {
      const operator = await member();
      await auth.service.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
      return operator;
    },
    async call(token, path, body, headers = {}) {
      return app.request(path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
        ...(body instanceof ReadableStream && { duplex: "half" }),
      });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await auth.stop();
    },
  };
}
