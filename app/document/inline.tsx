import { createContext, useContext } from "react";

interface InlineParts {
  /** The nonce in this response's Content Security Policy. */
  nonce?: string;
  styles: string;
}

/** In the browser, the empty default is enough, because hydration keeps the elements that the server rendered. */
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
