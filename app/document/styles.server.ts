import postcss, { type ChildNode, type Rule } from "postcss";
import parseSelectors, { type Selector } from "postcss-selector-parser";

/** Of a style sheet: gives its text without the rules that match nothing in a document of these tags and classes. */
type Part = (used: ReadonlySet<string>) => string;

const GROUPS = ["layer", "media", "supports"];
const MATCHING = [":has", ":is", ":where"];

/** The tags and classes without which it cannot match. Those in parentheses may be alternatives, or the opposite. */
function neededNames({ nodes }: Selector): string[] {
  return nodes.flatMap((node) => {
    if (node.type === "class" || node.type === "tag") return node.value;
    const [only, ...others] = node.type === "pseudo" && MATCHING.includes(node.value) ? node.nodes : [];
    return only && others.length === 0 ? neededNames(only) : [];
  });
}

function rulePart(rule: Rule): Part {
  const text = rule.toString();
  const needed = parseSelectors().astSync(rule.selector).nodes.map(neededNames);
  return (used) => (needed.some((names) => names.every((name) => used.has(name))) ? text : "");
}

function partOf(node: ChildNode): Part {
  if (node.type === "rule") return rulePart(node);
  if (node.type === "atrule" && node.nodes && GROUPS.includes(node.name)) {
    const inner = together(node.nodes);
    // An empty layer is kept: the first mention of each gives their order.
    return (used) => `@${node.name} ${node.params}{${inner(used)}}`;
  }
  const text = node.type === "atrule" && !node.nodes ? `${node};` : node.toString();
  return () => text;
}

function together(nodes: ChildNode[]): Part {
  const parts = nodes.map(partOf);
  return (used) => parts.reduce((css, part) => css + part(used), "");
}

const CLASS = ' class="';
const NAMES = new RegExp(`<[a-z]\\w*|${CLASS}[^"]+`, "g");

export function stylesFor(sheet: string): (html: string) => string {
  const styles = together(postcss.parse(sheet).nodes);
  return (html) => {
    const used = new Set<string>();
    for (const found of new Set(html.match(NAMES))) {
      if (found.startsWith("<")) used.add(found.slice(1));
      else for (const name of found.slice(CLASS.length).split(" ")) used.add(name);
    }
    return styles(used);
  };
}
