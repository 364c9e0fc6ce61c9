#!/usr/bin/env node
// The program of the npm package: `techfolio` starts the site, and `techfolio member list` runs a command.
import "./check-versions.cjs";

const COMMANDS = ["start", "member", "content", "backup", "restore", "doctor"];
const USAGE = `techfolio                  starts the site
techfolio member …         adds, invites, lists and removes members
techfolio content …        lists, unpublishes and removes content
techfolio backup FILE      saves the site's data
techfolio restore FILE     loads a backup into an empty site
techfolio doctor           checks whether the site can start

The settings are in the environment and in the file .env of the current folder.
`;

const [command = "start"] = process.argv.splice(2, 1);
if (["help", "--help", "-h"].includes(command)) {
  process.stdout.write(USAGE);
} else if (COMMANDS.includes(command)) {
  // As after `npm run member --`, the command's own arguments remain.
  await import(`./${command}.mjs`);
} else {
  process.stderr.write(`"${command}" is not a command of techfolio.\n\n${USAGE}`);
  process.exitCode = 2;
}
