import { commandLine } from "../../config/command-line.ts";
import { origin } from "../../config/settings-schema.ts";
import { VERSION } from "../../config/version.ts";
import { isSite, runChecks } from "../checks.ts";
import { type ProgramDefinition, parseArguments } from "../program.ts";

const USAGE = `${commandLine("doctor")}

Checks whether the site can start. Takes no arguments, and reads the same settings as ${commandLine("start")}.
`;

export const doctor: ProgramDefinition = {
  name: "doctor",
  usage: USAGE,
  async run(args, { settings, backend, log, print }) {
    parseArguments("doctor", { args });
    print(`Techfolio ${VERSION}\n`);
    const findings = await runChecks(
      settings,
      backend,
      await isSite(origin(settings.host, settings.port)),
      log,
    );
    const width = Math.max(...findings.map(({ topic }) => topic.length));
    for (const { topic, isProblem, text } of findings) {
      print(`${(isProblem ? "problem" : "ok").padEnd(7)}  ${topic.padEnd(width)}  ${text}`);
    }
    const problems = findings.filter(({ isProblem }) => isProblem).length;
    print(`\n${problems === 0 ? "No problems were found." : `Problems: ${problems}.`}`);
    return problems === 0 ? 0 : 1;
  },
};
