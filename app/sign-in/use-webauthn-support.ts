import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/** Whether the browser has WebAuthn. False on the server, during hydration, and on pages without TLS. */
export const useWebAuthnSupport = () =>
  useSyncExternalStore(
    subscribe,
    () => typeof PublicKeyCredential !== "undefined",
    () => false,
  );
