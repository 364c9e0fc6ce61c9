import { openTransport } from "../auth/mail.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";
import { origin } from "../config/settings-schema.ts";
import { listen } from "../http/listen.ts";
import { parseWords, runProgram } from "./program.ts";

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
  // A proxy must provide TLS; this server doesn't.
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

async function findingOf(check: Promise<string>): Promise<[state: string, text: string]> {
  try {
    return ["ok", await check];
  } catch (error) {
    const message = errorMessage(error);
    return ["problem", error instanceof OperatorError ? message : `This could not be checked: ${message}.`];
  }
}

await runProgram("doctor", USAGE, async (words, { settings, backend, print }) => {
  parseWords("doctor", { args: words });
  const isRunning = await isSite(origin(settings.host, settings.port));
  const checks = {
    settings: async () => "They are valid.",
    port: () => checkPort(settings, isRunning),
    data: () => backend.check(isRunning),
    proxy: () => checkProxy(settings),
    mail: () => checkMail(settings),
  };
  let problems = 0;
  for (const [topic, check] of Object.entries(checks)) {
    const [state, text] = await findingOf(check());
    if (state === "problem") problems += 1;
    print(`${state.padEnd(7)}  ${topic.padEnd(8)}  ${text}`);
  }
  print(`\n${problems === 0 ? "Nothing stands in the way." : `Problems: ${problems}.`}`);
  process.exitCode = problems === 0 ? 0 : 1;
});
