// Before a build, which takes half a minute: reports an invalid setting.
import { OperatorError } from "../config/operator-error.ts";
import { readEnvironment, readSettings } from "../config/settings.ts";

try {
  readSettings(readEnvironment());
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
