// Holds the Supabase project of SUPABASE_URL to what Techfolio needs of it.
import { ensureInstalled, findNode, run } from "./ensure.mjs";

ensureInstalled({ development: true });
const { status } = run(findNode(), "vitest", "vitest", ["run", "tests/parity"], {
  NODE_ENV: "test",
  PARITY: "project",
});
process.exit(status ?? 1);
