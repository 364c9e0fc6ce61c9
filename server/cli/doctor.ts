import { openTransport } from "../auth/mail.ts";
import { chooseBackend } from "../backends/choose.ts";
import { errorMessage } from "../config/error-message.ts";
import { origin, readEnvironment, readSettings, type Settings, SettingsError } from "../config/settings.ts";
import { StartError } from "../config/start-error.ts";
import { listen } from "../http/listen.ts";
import { allowClosedOutput } from "./program.ts";

const PATIENCE_MS = 3_000;

/** A finding that the start itself would not refuse. */
class Problem extends Error {}

async function isSite(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok && (await answer.text()) === "ok\n";
  } catch {
    return false;
  }
}

async function* checkPort({ host, port }: Settings, isRunning: boolean): AsyncGenerator<string> {
  const url = origin(host, port);
  if (!isRunning) {
    const listener = await listen(host, port);
    await listener.close();
    return yield `PORT ${port} on ${host} is free.`;
  }
  const { ok } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2 * PATIENCE_MS) });
  if (!ok) {
    throw new Problem(`The site answers at ${url} and its database does not: the log of the site says why.`);
  }
  yield `The site answers at ${url}, and so does its database.`;
}

async function* checkProxy({ siteUrl, trustedProxies }: Settings): AsyncGenerator<string> {
  // This server does not speak TLS: somebody in front of it does.
  if (siteUrl.startsWith("https:") && trustedProxies === 0) {
    throw new Problem(
      "With TRUST_PROXY=0 all visitors share the address of the proxy in front, and one can use up the limits of all: set TRUST_PROXY to the number of proxies.",
    );
  }
  yield `TRUST_PROXY=${trustedProxies} fits SITE_URL.`;
}

async function* checkMail({ smtp }: Settings): AsyncGenerator<string> {
  if (smtp === undefined) return yield "Without SMTP_HOST mails go to the log of the site, links included.";
  const place = `${smtp.host}:${smtp.port}`;
  const transport = await openTransport(smtp);
  try {
    await transport.verify();
  } catch (error) {
    const isLogin = error instanceof Error && "code" in error && error.code === "EAUTH";
    const settings = isLogin ? "SMTP_USER and SMTP_PASSWORD" : "SMTP_HOST, SMTP_PORT and SMTP_SECURE";
    throw new Problem(
      `The mail server ${place} cannot be used (${errorMessage(error).split("\n")[0]}): look at ${settings}.`,
    );
  } finally {
    transport.close();
  }
  yield `The mail server ${place} answers.`;
}

let problems = 0;

function print(state: string, topic: string, text: string): void {
  process.stdout.write(`${state.padEnd(7)}  ${topic.padEnd(8)}  ${text}\n`);
}

async function report(topic: string, check: AsyncGenerator<string>): Promise<void> {
  try {
    for await (const text of check) print("ok", topic, text);
  } catch (error) {
    problems += 1;
    const isExpected = [StartError, SettingsError, Problem].some((kind) => error instanceof kind);
    const message = errorMessage(error);
    print("problem", topic, isExpected ? message : `This could not be checked: ${message}.`);
  }
}

async function readValidSettings(): Promise<Settings | undefined> {
  let settings: Settings | undefined;
  await report(
    "settings",
    (async function* () {
      settings = readSettings(readEnvironment());
      yield "They are valid.";
    })(),
  );
  return settings;
}

allowClosedOutput();
const settings = await readValidSettings();
if (settings !== undefined) {
  const isRunning = await isSite(origin(settings.host, settings.port));
  await report("port", checkPort(settings, isRunning));
  await report("data", chooseBackend(settings).check(isRunning));
  await report("proxy", checkProxy(settings));
  await report("mail", checkMail(settings));
}
process.stdout.write(`\n${problems === 0 ? "Nothing stands in the way." : `Problems: ${problems}.`}\n`);
process.exitCode = problems === 0 ? 0 : 1;
