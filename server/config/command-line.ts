import { IS_RELEASE } from "./program-folder.ts";

export type Command = "start" | "member" | "content" | "backup" | "restore" | "doctor" | "release" | "mail";

/**
 * Returns what an operator types to run a command: in the package with npx, and in a clone of the repository with npm. Only
 * the package has the command `release`.
 */
export function commandLine(command: Command, parameters = ""): string {
  if (IS_RELEASE || command === "release") {
    return ["npx techfolio", command === "start" ? "" : command, parameters].filter(Boolean).join(" ");
  }
  if (command === "start") return "npm start";
  return parameters ? `npm run ${command} -- ${parameters}` : `npm run ${command}`;
}
