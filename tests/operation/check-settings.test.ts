import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/node.ts";

const HEADER = `// @generated from server/cli/check-settings.ts, what it imports, and valibot (MIT License, © Fabian Hiller).
`;

test("scripts/check-settings.mjs checks the settings with the server's own rules, on Node 20", async () => {
  const { build } = await import("vite");
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    // In a worktree, the folder of packages may be a link to another place.
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true },
    build: {
      ssr: path.join(ROOT, "server/cli/check-settings.ts"),
      target: "node20.19",
      minify: false,
      write: false,
    },
  });
  const [module] = "output" in result ? result.output : [];
  const source = module?.code ?? "";
  // Node 20 lacks these functions.
  expect(source).not.toMatch(/\bURL\.parse\(|\bgetSystemErrorMessage\b/);
  await expect(`${HEADER}${source}`).toMatchFileSnapshot(path.join(ROOT, "scripts/check-settings.mjs"));
});
