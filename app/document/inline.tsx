import { createContext, useContext } from "react";

interface InlineParts {
  /** The nonce that the Content Security Policy of this response names. */
  nonce?: string;
  styles: string;
}

/** The browser has neither: React keeps the elements that the server wrote. */
export const Inline = createContext<InlineParts>({ styles: "" });

/** Runs where the browser parses it, before hydration. */
export function InlineScript({ children }: { children: string }) {
  return (
    <script
      nonce={useContext(Inline).nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the site's own constant code
      dangerouslySetInnerHTML={{ __html: children }}
    />
  );
}

/** The whole style sheet. React finds the server's element by its `href` and leaves it as it is. */
export function InlineStyles() {
  const { nonce, styles } = useContext(Inline);
  return (
    <style href="app" precedence="default" nonce={nonce}>
      {styles}
    </style>
  );
}
