// Before a build, which takes half a minute: reports an invalid setting. It can't run before the installation, because the
// settings' rules use the package valibot.
import { OperatorError } from "../config/operator-error.ts";
import { readEnvironment, readSettings } from "../config/settings.ts";

try {
  readSettings(readEnvironment());
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
