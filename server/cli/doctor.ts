import { openTransport } from "../auth/mail.ts";
import { chooseBackend } from "../backends/choose.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import { readEnvironment, readSettings, type Settings } from "../config/settings.ts";
import { origin } from "../config/settings-schema.ts";
import { listen } from "../http/listen.ts";
import { allowClosedOutput } from "./program.ts";

const USAGE = `npm run doctor

Says what stands in the way of the site's start. It takes no words: its settings are those of npm start.
`;

const PATIENCE_MS = 3_000;

async function isSite(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok && (await answer.text()) === "ok\n";
  } catch {
    return false;
  }
}

async function checkPort({ host, port }: Settings, isRunning: boolean): Promise<string> {
  const url = origin(host, port);
  if (!isRunning) {
    await (await listen(host, port)).close();
    return `PORT ${port} on ${host} is free.`;
  }
  const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * PATIENCE_MS) });
  if (ok) return `The site answers at ${url}, and so does its database.`;
  throw new OperatorError(
    `The site answers at ${url} and its database does not: the log of the site says why.`,
  );
}

async function checkProxy({ siteUrl, trustedProxies }: Settings): Promise<string> {
  // This server does not speak TLS: somebody in front of it does.
  if (!siteUrl.startsWith("https:") || trustedProxies > 0)
    return `TRUST_PROXY=${trustedProxies} fits SITE_URL.`;
  throw new OperatorError(
    "With TRUST_PROXY=0 all visitors share the address of the proxy in front, and one can use up the limits of all: set TRUST_PROXY to the number of proxies.",
  );
}

async function checkMail({ smtp }: Settings): Promise<string> {
  if (smtp === undefined) return "Without SMTP_HOST mails go to the log of the site, links included.";
  const place = `${smtp.host}:${smtp.port}`;
  const transport = await openTransport(smtp);
  try {
    await transport.verify();
    return `The mail server ${place} answers.`;
  } catch (error) {
    const isLogin = error instanceof Error && "code" in error && error.code === "EAUTH";
    const settings = isLogin ? "SMTP_USER and SMTP_PASSWORD" : "SMTP_HOST, SMTP_PORT and SMTP_SECURE";
    throw new OperatorError(
      `The mail server ${place} cannot be used (${errorMessage(error).split("\n")[0]}): look at ${settings}.`,
    );
  } finally {
    transport.close();
  }
}

let problems = 0;

function print(state: string, topic: string, text: string): void {
  process.stdout.write(`${state.padEnd(7)}  ${topic.padEnd(8)}  ${text}\n`);
}

async function report(topic: string, check: Promise<string>): Promise<void> {
  try {
    print("ok", topic, await check);
  } catch (error) {
    problems += 1;
    const message = errorMessage(error);
    const told = error instanceof OperatorError ? message : `This could not be checked: ${message}.`;
    print("problem", topic, told);
  }
}

const [word] = process.argv.slice(2);
if (word !== undefined) {
  const isAsked = ["--help", "-h", "help"].includes(word);
  (isAsked ? process.stdout : process.stderr).write(USAGE);
  process.exit(isAsked ? 0 : 2);
}

allowClosedOutput();
const reading = (async () => readSettings(readEnvironment()))();
await report(
  "settings",
  reading.then(() => "They are valid."),
);
const settings = await reading.catch(() => undefined);
if (settings !== undefined) {
  const isRunning = await isSite(origin(settings.host, settings.port));
  await report("port", checkPort(settings, isRunning));
  await report("data", chooseBackend(settings).check(isRunning));
  await report("proxy", checkProxy(settings));
  await report("mail", checkMail(settings));
}
process.stdout.write(`\n${problems === 0 ? "Nothing stands in the way." : `Problems: ${problems}.`}\n`);
process.exitCode = problems === 0 ? 0 : 1;
