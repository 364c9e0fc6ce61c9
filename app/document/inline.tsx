import { createContext, useContext } from "react";

interface InlineParts {
  /** The nonce in this response's Content Security Policy. */
  nonce?: string;
  styles: string;
  scripts: { head: string; body: string };
}

/** Only the server provides a value. The browser needs none, because hydration keeps the elements from the server. */
export const Inline = createContext<InlineParts>({ styles: "", scripts: { head: "", body: "" } });

/** A script that runs as soon as the browser has parsed it, before hydration. */
export function InlineScript({ place }: { place: keyof InlineParts["scripts"] }) {
  const { nonce, scripts } = useContext(Inline);
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the site's own constant code
      dangerouslySetInnerHTML={{ __html: scripts[place] }}
    />
  );
}

/**
 * All styles of the site. React would put a style with `precedence` before the page's metadata, but some programs that
 * show a preview of a link read only the first 32 KiB (docs/sharing.md). The browser renders no element: React keeps the
 * server's, in hydration and when it renders the document anew.
 */
export function InlineStyles() {
  const { nonce, styles } = useContext(Inline);
  if (styles === "") return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the site's own styles
  return <style nonce={nonce} dangerouslySetInnerHTML={{ __html: styles }} />;
}
