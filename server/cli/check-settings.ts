// `npm start` reports an invalid setting before it installs and builds anything. Then neither the package of the settings'
// rules nor a Node that runs TypeScript is certain to be there. Therefore, scripts/check-settings.mjs contains this module
// with all that it imports, as JavaScript for Node 20.19. `npx vitest run tests/operation/check-settings -u` writes it.
import { OperatorError } from "../config/operator-error.ts";
import { readEnvironment, readSettings } from "../config/settings.ts";

/** Returns a sentence about the first invalid setting, or undefined. */
export function findInvalidSetting(): string | undefined {
  try {
    readSettings(readEnvironment());
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}
