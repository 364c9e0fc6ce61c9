import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { createTokens } from "../../auth/access-token.ts";
import { type Keys, loadKeys } from "../../config/keys.ts";
import { origin, type Settings } from "../../config/settings.ts";
import type { Answer } from "./address.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Takes the settings and who answers at their port, returns whether the keys are good and the running site's. Changes nothing. */
export async function checkKeys(settings: Settings, answer: Answer): Promise<Finding[]> {
  const { dataDir, authJwtSecret } = settings;
  const file = path.join(dataDir, "keys.json");
  if (authJwtSecret === undefined && !existsSync(file)) {
    return [ok("keys", `${file} will be made by the first start.`)];
  }
  const keys = await loadKeys(settings);
  const finding =
    authJwtSecret === undefined
      ? await checkFile(file, keys)
      : ok("keys", "They follow from AUTH_JWT_SECRET.");
  return answer === "site" ? [finding, await compareWithSite(settings, keys)] : [finding];
}

async function checkFile(file: string, keys: Keys): Promise<Finding> {
  const { mode } = await stat(file);
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return problem("keys", `Others may read ${file}: chmod 600 it, and make new keys if somebody has.`);
  }
  const { verify } = createTokens(keys.jwtSecret);
  const roles = await Promise.all(
    [keys.anonKey, keys.serviceKey].map((key) =>
      verify(key).then(
        ({ role }) => role,
        () => "",
      ),
    ),
  );
  return roles.join() === "anon,service_role"
    ? ok("keys", `${file} holds keys that fit together.`)
    : problem(
        "keys",
        `The keys in ${file} do not fit together: put its copy back, or remove it, and all sign in anew.`,
      );
}

async function compareWithSite({ host, port }: Settings, { anonKey }: Keys): Promise<Finding> {
  const { status } = await fetch(`${origin(host, port)}/auth/v1/settings`, { headers: { apikey: anonKey } });
  return status === 401
    ? problem(
        "keys",
        "The running site has other keys: set DATA_DIR or AUTH_JWT_SECRET as it has them, or restart it.",
      )
    : ok("keys", "The running site accepts them.");
}
