import { createContext, useContext } from "react";

/** The nonce that the Content Security Policy of this response names. The browser needs none. */
export const Nonce = createContext<string | undefined>(undefined);

/** Runs where the browser parses it, before the application is there. */
export function InlineScript({ children }: { children: string }) {
  return (
    <script
      nonce={useContext(Nonce)}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the site's own constant code
      dangerouslySetInnerHTML={{ __html: children }}
    />
  );
}
