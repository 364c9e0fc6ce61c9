import { createClient, type Outcome } from "./client.ts";
import { type Drill, type Figure, none, quantile } from "./figure.ts";
import { type Author, type DrillSite, makeAuthor, withSite } from "./site.ts";

/** Loopback addresses, which the site counts as different clients. */
const ATTACKER = "127.0.0.2";
const OWNER = "127.0.0.3";
const VISITOR = "127.0.0.4";
const SPRAYER = "127.0.0.5";

type Ask = (path: string, body: object, from: string, headers?: Record<string, string>) => Promise<Outcome>;

function createAsk(site: DrillSite) {
  const client = createClient(site.url);
  const ask: Ask = (path, body, from, headers = {}) =>
    client.ask(`/auth/v1/${path}`, {
      method: "POST",
      headers: { apikey: site.keys.anonKey, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      from,
    });
  return { ask, client };
}

const signIn = (ask: Ask, email: string, password: string, from: string, headers = {}) =>
  ask("token?grant_type=password", { email, password }, from, headers);

function isLimited({ status, headers }: Outcome): boolean {
  return status === 429 && Number(headers["retry-after"]) > 0;
}

async function guess(ask: Ask, victim: Author): Promise<Figure[]> {
  const guesses = [];
  for (let at = 0; at < 25; at++) {
    // Each guess claims a different client address. The site must ignore these headers, because no trusted proxy sets
    // them here, and must count all guesses for the attacker's real address.
    const headers = {
      "x-forwarded-for": `10.0.0.${at}`,
      "x-real-ip": `10.0.1.${at}`,
      forwarded: `for=10.0.2.${at}`,
    };
    guesses.push(await signIn(ask, victim.email, `wrong ${at}`, ATTACKER, headers));
  }
  const right = await signIn(ask, victim.email, victim.password, ATTACKER);
  const owner = await signIn(ask, victim.email, victim.password, OWNER);
  const sprayed = [];
  for (let at = 0; at < 45; at++) {
    sprayed.push(await signIn(ask, `nobody${at}@example.com`, "Password1", SPRAYER));
  }
  const tried = guesses.filter((guess) => !isLimited(guess)).length;
  const spread = sprayed.filter((guess) => !isLimited(guess)).length;
  return [
    {
      goal: "brute force: 10 guesses at one account, then 429",
      measured: `${tried} guesses`,
      ok: tried === 10,
    },
    {
      goal: "brute force: after those 10 guesses, the right password is rejected too",
      measured: `status ${right.status}`,
      ok: isLimited(right),
    },
    {
      goal: "brute force: the owner can sign in from another address",
      measured: `status ${owner.status}`,
      ok: owner.status === 200,
    },
    {
      goal: "brute force: 30 guesses at different accounts, then 429",
      measured: `${spread} guesses`,
      ok: spread === 30,
    },
  ];
}

async function enumerate(ask: Ask, member: Author): Promise<Figure[]> {
  const known: Outcome[] = [];
  const unknown: Outcome[] = [];
  // Alternate between a known and an unknown email address, so that both are measured under the same load.
  // Each round has its own client address, so that no sign-in exceeds a limit.
  for (let at = 0; at < 14; at++) {
    const from = `127.0.1.${at + 1}`;
    known.push(await signIn(ask, member.email, "wrong", from));
    unknown.push(await signIn(ask, `nobody-${at}@example.com`, "wrong", from));
  }
  const responses = new Set([...known, ...unknown].map(({ status, body }) => `${status} ${body}`));
  const medianTime = (outcomes: Outcome[]) =>
    quantile(
      outcomes.map(({ milliseconds }) => milliseconds),
      0.5,
    );
  const ratio = medianTime(known) / medianTime(unknown);
  const recovery = await Promise.all([
    ask("recover", { email: member.email }, VISITOR),
    ask("recover", { email: "nobody@example.com" }, VISITOR),
  ]);
  const recoveryResponses = new Set(recovery.map(({ status, body }) => `${status} ${body}`));
  return [
    {
      goal: "enumeration: an unknown email address and a wrong password get the same response",
      measured: `distinct responses: ${responses.size}`,
      ok: responses.size === 1,
    },
    {
      goal: "enumeration: an unknown email address and a wrong password take the same time (medians within a quarter)",
      measured: `${medianTime(known).toFixed(1)} and ${medianTime(unknown).toFixed(1)} ms`,
      ok: ratio > 0.75 && ratio < 1.33,
    },
    {
      goal: "enumeration: recovery responds identically to a known and an unknown email address",
      measured: `distinct responses: ${recoveryResponses.size}`,
      ok: recoveryResponses.size === 1,
    },
  ];
}

interface Session {
  access_token: string;
  refresh_token: string;
}

async function steal(site: DrillSite, ask: Ask, victim: Author): Promise<Figure[]> {
  const refresh = (token: string) => ask("token?grant_type=refresh_token", { refresh_token: token }, OWNER);
  const first = JSON.parse((await signIn(ask, victim.email, victim.password, OWNER)).body) as Session;
  const second = JSON.parse((await refresh(first.refresh_token)).body) as Session;
  const third = JSON.parse((await refresh(second.refresh_token)).body) as Session;
  const stolen = await refresh(first.refresh_token);
  const after = await refresh(third.refresh_token);
  const client = createClient(site.url);
  const getUser = (token: string) =>
    client.ask("/auth/v1/user", { headers: { apikey: site.keys.anonKey, authorization: `Bearer ${token}` } });
  const withStolenSession = await getUser(third.access_token);

  const own = JSON.parse((await signIn(ask, victim.email, victim.password, OWNER)).body) as Session;
  await ask("logout?scope=global", {}, OWNER, { authorization: `Bearer ${own.access_token}` });
  const signedOut = await getUser(own.access_token);
  client.close();
  const refused = [stolen, after].filter(({ status }) => status !== 400);
  return [
    none(
      "token theft: reusing a refresh token ends the session, for the thief and the member",
      refused.length,
      "2 tokens still worked",
    ),
    {
      goal: "token theft: the session's access token ends with the session",
      measured: `status ${withStolenSession.status}`,
      ok: withStolenSession.status === 401 || withStolenSession.status === 403,
    },
    {
      goal: "token theft: sign-out ends an access token immediately",
      measured: `status ${signedOut.status}`,
      ok: signedOut.status === 401 || signedOut.status === 403,
    },
  ];
}

/** Attacks sign-in without knowing the password, and a session with a stolen refresh token. */
export const signInAttacks: Drill = {
  name: "sign-in",
  title: "brute force, enumeration and token theft fail",
  run: () =>
    withSite({}, async (site): Promise<Figure[]> => {
      const [victim, member] = [await makeAuthor(site), await makeAuthor(site)];
      const { ask, client } = createAsk(site);
      const figures = [
        ...(await guess(ask, victim)),
        ...(await enumerate(ask, member)),
        ...(await steal(site, ask, member)),
      ];
      client.close();
      return figures;
    }),
};
