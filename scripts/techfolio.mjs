#!/usr/bin/env node
// The program of the npm package: `techfolio` starts the site, and `techfolio member list` runs a command.
import "./check-versions.cjs";

const PROGRAMS = ["member", "content", "backup", "restore", "doctor", "release", "mail"];
const USAGE = `techfolio                  starts the site
techfolio member …         adds, invites, lists and removes members
techfolio content …        lists, unpublishes and removes content
techfolio backup FILE      saves the site's data
techfolio restore FILE     loads a backup into an empty site
techfolio doctor           checks whether the site can start
techfolio mail NAME        sends a sample of an email
techfolio release VERSION  switches the site that systemd runs to a release

The settings are in the environment and in the file .env of the current folder.
`;

const [command = "start"] = process.argv.splice(2, 1);
if (["help", "--help", "-h"].includes(command)) {
  process.stdout.write(USAGE);
} else if (command === "start") {
  await import("./start.mjs");
} else if (PROGRAMS.includes(command)) {
  // The program's own arguments remain.
  const { runProgram } = await import("./program.mjs");
  await runProgram(command);
} else {
  process.stderr.write(`"${command}" is not a command of techfolio.\n\n${USAGE}`);
  process.exitCode = 2;
}
