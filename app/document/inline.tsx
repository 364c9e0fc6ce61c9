import { createContext, useContext } from "react";

interface InlineParts {
  /** The nonce in this response's Content Security Policy. */
  nonce?: string;
  styles: string;
}

/** Empty in the browser, where React keeps the server's elements. */
export const Inline = createContext<InlineParts>({ styles: "" });

/** Runs as soon as the browser parses it, before hydration. */
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

/** The complete style sheet. React finds the server's element by its `href` and leaves it unchanged. */
export function InlineStyles() {
  const { nonce, styles } = useContext(Inline);
  return (
    <style href="app" precedence="default" nonce={nonce}>
      {styles}
    </style>
  );
}
