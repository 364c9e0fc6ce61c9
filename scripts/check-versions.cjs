// Every npm command loads this file before its own (`node -r`). It has only syntax that Node 6 understands, so that an
// old Node prints a sentence instead of a syntax error.
"use strict";

// npm skips Rolldown's native module on any other version, without an error (`engines` in package-lock.json).
const OLDEST = [20, 19];
const OLDEST_OF_LATER_MAJORS = [22, 12];
// Older ones can't read our package-lock.json.
const OLDEST_NPM = 7;

/** Returns what to do about the versions, or undefined. `agent` is npm's user agent, or undefined without npm. */
function findProblem(node, agent) {
  const version = node.split(".").map(Number);
  const isSupported =
    version[0] === OLDEST[0] ? version[1] >= OLDEST[1] : isAtLeast(version, OLDEST_OF_LATER_MAJORS);
  if (!isSupported) {
    return `Techfolio needs Node ${OLDEST.join(".")}, or ${OLDEST_OF_LATER_MAJORS.join(".")} or newer, and this is Node ${node}: install a newer Node (nodejs.org), then run the command again.`;
  }
  const npm = /^npm\/(\d+)/.exec(agent || "");
  if (npm === null || Number(npm[1]) >= OLDEST_NPM) return undefined;
  return `Techfolio needs npm ${OLDEST_NPM} or newer, and this is npm ${npm[1]}: run "npm install --global npm", then run the command again.`;
}

function isAtLeast(version, oldest) {
  return version[0] > oldest[0] || (version[0] === oldest[0] && version[1] >= oldest[1]);
}

const problem = findProblem(process.versions.node, process.env.npm_config_user_agent);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

module.exports = { findProblem };
