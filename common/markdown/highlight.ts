import { toHtml } from "hast-util-to-html";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";

const lowlight = createLowlight({ ...common, dockerfile, nginx, powershell, scala });
// highlight.js does not know Terraform's language HCL, so highlight it as INI, which is similar.
lowlight.registerAlias({ ini: ["hcl", "terraform", "tf"] });

export function highlightTree(code: string, language: string): ReturnType<typeof lowlight.highlight> | null {
  const name = language.toLowerCase();
  return lowlight.registered(name) ? lowlight.highlight(name, code) : null;
}

/** Returns highlighted HTML. Code in an unknown language is only escaped. */
export function highlightCode(code: string, language: string): string {
  return toHtml(highlightTree(code, language) ?? { type: "text", value: code });
}
