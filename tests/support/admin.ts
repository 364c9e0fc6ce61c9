import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { SupabaseClient } from "@supabase/supabase-js";
import { createAdmin } from "../../server/admin/admin-routes.ts";
import { operatorInDatabase, operatorInProject } from "../../server/admin/operator.ts";
import type { Message } from "../../server/auth/mail.ts";
import { type Account, SITE, startTestAuth, type TestAuth } from "./auth.ts";
import { inProcess } from "./in-process.ts";

export interface TestAdmin {
  auth: TestAuth;
  mails: Message[];
  /** Calls `/admin/v1` with the token. A body makes it a POST. */
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

export interface SignedInMember extends Account {
  client: SupabaseClient;
  token(): Promise<string>;
}

/** `/admin/v1` on the built-in backend, or on a Supabase project (which the built-in backend imitates over HTTP). */
export async function startTestAdmin(backend: "built-in" | "project", hasMail = true): Promise<TestAdmin> {
  const auth = await startTestAuth();
  const mails: Message[] = [];
  const server = createAdaptorServer({ fetch: auth.app.fetch, createServer }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const project = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isProject = backend === "project";
  const admin = createAdmin({
    identify: isProject
      ? operatorInProject({ url: project, key: auth.keys.anonKey })
      : operatorInDatabase(auth.database, auth.tokens),
    administration: async () => ({
      url: isProject ? project : SITE,
      serviceKey: auth.keys.serviceKey,
      ifUnreachable: "",
      ifKeyRejected: "",
      ...(!isProject && { fetch: async (input, init) => auth.app.request(new Request(input, init)) }),
    }),
    settings: { siteUrl: SITE, siteName: "Techfolio", singleSignOn: undefined, passwordSignIn: true },
    sendMail: hasMail ? async (message) => void mails.push(message) : undefined,
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
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await auth.stop();
    },
  };
}
