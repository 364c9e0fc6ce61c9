import { toHtml } from "hast-util-to-html";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import ini from "highlight.js/lib/languages/ini";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

/** The six languages of code samples (specification §9), and what else articles about this trade quote. */
const lowlight = createLowlight({
  bash,
  css,
  diff,
  dockerfile,
  ini,
  javascript,
  json,
  python,
  shell,
  sql,
  typescript,
  xml,
  yaml,
});

/** Takes code and its language, returns the syntax tree of coloured spans, or null for an unknown language. */
export function highlightTree(code: string, language: string): ReturnType<typeof lowlight.highlight> | null {
  return lowlight.registered(language) ? lowlight.highlight(language, code) : null;
}

/** Takes code and its language, returns HTML of coloured spans; an unknown language is escaped text. */
export function highlightCode(code: string, language: string): string {
  return toHtml(highlightTree(code, language) ?? { type: "text", value: code });
}
