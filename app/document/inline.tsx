import { createContext, useContext } from "react";

interface InlineParts {
  /** The nonce in this response's Content Security Policy. */
  nonce?: string;
  styles: string;
}

/** Only the server provides a value. The browser needs none, because hydration keeps the elements from the server. */
export const Inline = createContext<InlineParts>({ styles: "" });

/** A script that runs as soon as the browser has parsed it, before hydration. */
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

/** All styles of the site. During hydration, React finds the element by its `href` and leaves it unchanged. */
export function InlineStyles() {
  const { nonce, styles } = useContext(Inline);
  return (
    <style href="app" precedence="default" nonce={nonce}>
      {styles}
    </style>
  );
}
