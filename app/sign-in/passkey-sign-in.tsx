import { useEffect, useRef, useState } from "react";
import { openAuth } from "../session/open-auth.ts";
import { PasskeyButton, PasskeyMessage } from "./passkey-button.tsx";

/** Visitors who press the button immediately don't need the list. */
const START_MS = 1_000;
/** A challenge expires after five minutes. */
const CHALLENGE_MS = 4 * 60_000;

/** For browsers that have WebAuthn. */
export default function PasskeySignIn({ isReady }: { isReady: boolean }) {
  const offer = usePasskeysInField(isReady);
  return (
    <>
      <PasskeyButton
        disabled={!isReady}
        signIn={(auth) => {
          // Browsers run one request at a time. The next focus of the field starts the other one again.
          offer.stop();
          return auth.signInWithPasskey();
        }}
      />
      <PasskeyMessage>{offer.problem}</PasskeyMessage>
    </>
  );
}

/**
 * Lets browsers that can ("conditional mediation") list passkeys in the email field. A list that is requested only when
 * the field gets the focus may come too late for it, so it is requested soon after the page has opened.
 */
function usePasskeysInField(isWanted: boolean) {
  const [problem, setProblem] = useState<string | null>(null);
  const offered = useRef<{ controller: AbortController; startedAt: number } | null>(null);

  function stop() {
    setProblem(null);
    offered.current?.controller.abort();
    offered.current = null;
  }

  async function start(): Promise<void> {
    stop();
    const controller = new AbortController();
    const { signal } = controller;
    offered.current = { controller, startedAt: performance.now() };
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || signal.aborted) return;
    const rejection = await openAuth()
      .then((auth) => auth.offerPasskeys(signal))
      .catch(() => null);
    if (!signal.aborted) setProblem(rejection);
    if (offered.current?.controller === controller) offered.current = null;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `start` and `stop` only use refs
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(start, START_MS);
    const startAgain = ({ target }: FocusEvent) => {
      clearTimeout(timer);
      const { startedAt = Number.NEGATIVE_INFINITY } = offered.current ?? {};
      const isFresh = performance.now() - startedAt < CHALLENGE_MS;
      const isField = target instanceof Element && target.matches("[autocomplete~=webauthn]");
      if (isField && !isFresh) void start();
    };
    document.addEventListener("focusin", startAgain);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("focusin", startAgain);
      stop();
    };
  }, [isWanted]);

  return { problem, stop };
}
