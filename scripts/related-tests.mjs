// Chooses the tests that `npm test -- --changed` runs besides the unit tests, which Vitest finds by their imports. Tests
// in tests/ use the site from outside, so no import shows what they depend on.
import { spawnSync } from "node:child_process";
import { root } from "./root.mjs";

const visitor = (...names) => names.map((name) => `tests/journeys/visitor/${name}.spec.ts`);
const member = (...names) => names.map((name) => `tests/journeys/member/${name}.spec.ts`);
const operation = (...names) => names.map((name) => `tests/operation/${name}.test.ts`);
const access = (...names) => names.map((name) => `tests/access/${name}.test.ts`);

/**
 * The tests to run when a file at or below a path changes: those that use it most, in at most two minutes on two cores. The
 * longest path counts.
 */
export const RELATED = {
  app: [...visitor("home", "arrival"), ...operation("routes", "valid-documents")],
  "app/admin": ["tests/journeys/operator/admin.spec.ts", ...access("admin")],
  "app/content": [...member("content-form", "content-conflicts"), ...visitor("reading")],
  "app/document": [...visitor("navigation", "layout"), ...operation("structured-data")],
  "app/drafts": member("drafts"),
  "app/history": member("undo", "versions"),
  "app/home": visitor("home", "counts"),
  "app/import": [...member("portability"), ...operation("formats")],
  "app/join": member("links"),
  "app/list": visitor("lists", "search", "short-list"),
  "app/operation": [...member("undo", "skills"), "tests/journeys/operator/admin.spec.ts"],
  "app/own-items": member("own-items"),
  "app/paste": member("preview"),
  "app/people": [...visitor("people", "resume"), ...operation("people-search")],
  "app/pictures": member("pictures"),
  "app/portability": member("portability"),
  "app/profile": member("profile", "skills"),
  "app/report": ["tests/journeys/operator/reports.spec.ts"],
  "app/router": [...visitor("navigation"), ...member("guard")],
  "app/search": [...visitor("search-everything"), ...operation("search-everything")],
  "app/session": member("session", "guard"),
  "app/sign-in": member("session", "links"),
  "app/ui": [...visitor("accessibility"), ...member("preview")],
  common: [...visitor("lists"), ...member("content-form"), ...operation("formats")],
  server: operation("http", "start", "stop"),
  "server/admin": access("admin"),
  "server/api": [...access("refusals", "storage-limits"), ...operation("large-body")],
  "server/auth": access("auth-sign-in", "auth-session", "auth-links"),
  "server/backends": operation("start", "external", "project"),
  "server/cli": operation("member", "moderation", "backup"),
  "server/config": operation("start", "branding"),
  "server/feeds": operation("addresses", "valid-documents"),
  "server/formats": operation("formats", "valid-documents"),
  "server/http": operation("http", "metrics", "large-body"),
  "server/pages": [...operation("http", "list-pages"), ...visitor("arrival")],
  "server/postgres": [...operation("migrate", "database", "schema"), ...access("ownership")],
  "server/rendering": [...operation("documents"), ...visitor("hostile-content")],
  "server/rest": access("matrix", "refusals", "versions"),
  "server/storage": access("storage"),
  supabase: [
    ...operation("migrate", "schema", "schema-files", "triggers", "derived", "frozen-migrations"),
    ...access("matrix", "ownership"),
  ],
  public: operation("http"),
  deploy: operation("deploy"),
  scripts: operation("stop", "packages"),
  ".env.example": operation("deploy"),
  "compose.yaml": operation("deploy"),
  "CONTRIBUTING.md": operation("contributing"),
  "tests/support/example-rows.ts": access("columns", "matrix"),
  "tests/support/forms.ts": member("content-form", "content-failures"),
  bench: [],
  docs: [],
};

/** Files that no test depends on, apart from the checks. */
const UNTESTED = /^(docs\/|bench\/|\.github\/|[^/]+\.md$|LICENSE$)/;
const TEST = /^tests\/.*\.(test|spec)\.ts$/;
/** Unit tests are next to the modules. */
const UNIT_TEST = /\.test\.tsx?$/;

/** The files that differ from `reference`, including files that git doesn't know yet. */
export function changedFiles(reference) {
  const list = (...args) => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr.trim());
    return stdout.split("\0").filter(Boolean);
  };
  return [
    ...list("diff", "--name-only", "-z", reference),
    ...list("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}

/**
 * Returns the changed files that can affect every test.
 *
 * @param {string[]} files
 */
export const widelyUsed = (files) => files.filter((file) => testsOf(file) === undefined);

/**
 * The files in tests/ to run after a change of these files. Undefined means all, because a file can affect every test.
 *
 * @param {string[]} files
 * @returns {string[] | undefined}
 */
export function relatedTests(files) {
  if (widelyUsed(files).length > 0) return undefined;
  return [...new Set(files.flatMap((file) => testsOf(file) ?? []))].sort();
}

/**
 * @param {string} file
 * @returns {string[] | undefined}
 */
function testsOf(file) {
  if (TEST.test(file)) return [file];
  if (UNIT_TEST.test(file) || (UNTESTED.test(file) && !(file in RELATED))) return [];
  const part = Object.keys(RELATED)
    .filter((each) => file === each || file.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length)[0];
  return part === undefined ? undefined : RELATED[part];
}
