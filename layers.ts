/**
 * Which folders a folder may import besides itself and its own subfolders. `tests/operation/layers.test.ts` checks it.
 * "app/*" and "server/*" are the files directly in these folders. Every folder of `app/` and `server/` may import
 * `common/`.
 */
export const LAYERS: Record<string, readonly string[]> = {
  common: [],

  "app/ui": [],
  "app/router": ["app/ui"],
  "app/operation": ["app/ui"],
  "app/session": ["app/ui"],
  "app/list": ["app/router", "app/ui"],
  "app/history": ["app/operation", "app/session", "app/ui"],
  "app/own-items": ["app/history", "app/operation", "app/session", "app/ui"],
  "app/pictures": ["app/history", "app/operation", "app/session", "app/ui"],
  "app/drafts": ["app/pictures", "app/ui"],
  "app/sign-in": ["app/drafts", "app/operation", "app/session", "app/ui"],
  "app/import": [],
  "app/portability": [
    "app/history",
    "app/import/index.ts",
    "app/operation",
    "app/pictures",
    "app/router",
    "app/session",
    "app/ui",
  ],
  "app/content": [
    "app/drafts",
    "app/history",
    "app/list",
    "app/operation",
    "app/pictures",
    "app/router",
    "app/session",
    "app/ui",
  ],
  "app/people": ["app/list", "app/session", "app/ui"],
  "app/report": ["app/ui"],
  "app/search": ["app/list", "app/people", "app/ui"],
  "app/home": ["app/list", "app/people", "app/session", "app/ui"],
  "app/join": ["app/sign-in", "app/ui"],
  "app/profile": [
    "app/drafts",
    "app/history",
    "app/operation",
    "app/own-items",
    "app/pictures",
    "app/portability",
    "app/router",
    "app/session",
    "app/sign-in",
    "app/ui",
  ],
  "app/document": ["app/history", "app/pictures", "app/router", "app/session", "app/ui"],
  "app/admin": ["app/document", "app/operation", "app/portability", "app/session", "app/sign-in", "app/ui"],
  "app/routes": ["app"],
  "app/*": ["app"],

  "server/config": [],
  "server/http": ["server/config"],
  "server/postgres": ["server/config", "server/http"],
  "server/rendering": ["server/config", "server/http", "server/xml.ts"],
  "server/api": ["server/config", "server/http", "server/postgres"],
  "server/auth": ["server/api", "server/config", "server/http", "server/postgres"],
  "server/rest": ["server/api", "server/config", "server/http", "server/postgres"],
  "server/storage": ["server/api", "server/config", "server/http", "server/postgres"],
  "server/admin": ["server/api", "server/auth", "server/config", "server/http", "server/postgres"],
  "server/backends": [
    "server/admin",
    "server/api",
    "server/auth",
    "server/config",
    "server/http",
    "server/postgres",
    "server/rest",
    "server/storage",
  ],
  "server/pages": ["server/config", "server/http", "server/rendering"],
  "server/feeds": ["server/config", "server/http", "server/rendering", "server/xml.ts"],
  "server/formats": ["server/config", "server/http", "server/xml.ts"],
  "server/cli": [
    "server/admin",
    "server/auth",
    "server/backends",
    "server/config",
    "server/http",
    "server/postgres",
  ],
  "server/*": ["server"],
};

/** Exceptions: files that may import one more module, with the reason. */
export const EXCEPTIONS: Record<string, string> = {
  // The build exports this module. The server imports only its type.
  "server/pages/application.ts": "app/request-handler.ts",
  "server/pages/pages.ts": "app/request-handler.ts",
};
