import { readdirSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";
import type * as serverBuild from "../../app/request-handler.ts";
import type { FunctionCall } from "../../common/data/reader.ts";
import { programFile } from "../config/program-folder.ts";

const CLIENT = programFile("build/client");
export const ONE_YEAR = "public, max-age=31536000, immutable";

export interface Application {
  isProduction: boolean;
  /** Renders a page, as a document or as data. */
  handleRequest: typeof serverBuild.handleRequest;
  /** Returns the search that a list's page begins with, or undefined for other pages. */
  searchAt(url: URL): Promise<FunctionCall | undefined>;
  /**
   * The paths of all pages, as labels for the metrics. Hono accepts them, because it shares React Router's notation for
   * parameters. Empty in development.
   */
  routePaths: string[];
  mountStaticFiles(app: Hono): void;
}

export function loadApplication(): Promise<Application> {
  return process.env["NODE_ENV"] === "development" ? developmentApplication() : builtApplication();
}

async function builtApplication(): Promise<Application> {
  const build = (await import(programFile("build/server/index.js"))) as typeof serverBuild;
  return {
    isProduction: true,
    handleRequest: build.handleRequest,
    searchAt: async (url) => build.searchAt(url),
    routePaths: Object.values(build.routes).flatMap((route) => (route && pathOf(route)) ?? []),
    mountStaticFiles(app) {
      const files = serveStatic({
        root: CLIENT,
        precompressed: true,
        onFound: (_file, context) => {
          const isHashed = context.req.path.startsWith("/assets/");
          context.header("Cache-Control", isHashed ? ONE_YEAR : "public, max-age=3600");
        },
      });
      for (const entry of readdirSync(CLIENT, { withFileTypes: true })) {
        app.use(entry.isDirectory() ? `/${entry.name}/*` : `/${entry.name}`, files);
      }
    },
  };
}

function pathOf({ index, path = "" }: NonNullable<(typeof serverBuild.routes)[string]>): string | undefined {
  if (index) return "/";
  return path === "" || path === "*" ? undefined : `/${path}`;
}

async function developmentApplication(): Promise<Application> {
  const { createServer } = await import("vite");
  const ownListeners = process.listeners("SIGTERM");
  const vite = await createServer({
    root: programFile(""),
    appType: "custom",
    server: { middlewareMode: true, watch: { ignored: [programFile("data/**")] } },
  });
  // React Router starts a second Vite server. Remove the Vite servers' SIGTERM listeners, which would end the process
  // before the database has stopped.
  for (const listener of process.listeners("SIGTERM")) {
    if (!ownListeners.includes(listener)) process.off("SIGTERM", listener);
  }
  const load = async () => (await vite.ssrLoadModule("./app/request-handler.ts")) as typeof serverBuild;
  return {
    isProduction: false,
    handleRequest: async (request, context) => (await load()).handleRequest(request, context),
    searchAt: async (url) => (await load()).searchAt(url),
    routePaths: [],
    mountStaticFiles(app) {
      app.use("*", async (context, next) => {
        const { incoming, outgoing } = context.env as HttpBindings;
        const isServed = await new Promise<boolean>((resolve) => {
          outgoing.once("finish", () => resolve(true));
          vite.middlewares(incoming, outgoing, () => resolve(false));
        });
        // If it weren't cloned, @hono/node-server 2.1 would send the response again.
        return isServed ? RESPONSE_ALREADY_SENT.clone() : next();
      });
    },
  };
}
