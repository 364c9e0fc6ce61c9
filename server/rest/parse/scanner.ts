import { quoted, type RestError, unreadable } from "../rest-error.ts";

const PLAIN_NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/sy;
const BLANKS = /[ \t]*/y;

/** The lexical rules of PostgREST's parameters (docs.postgrest.org, "Reserved characters"). Throws PGRST100. */
export class Scanner {
  readonly #text: string;
  readonly #what: string;
  #at = 0;

  constructor(text: string, what: string) {
    this.#text = text;
    this.#what = what;
  }

  get done(): boolean {
    return this.#at >= this.#text.length;
  }

  take(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false;
    this.#at += literal.length;
    return true;
  }

  sees(literal: string): boolean {
    return this.#text.startsWith(literal, this.#at);
  }

  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }

  skipBlanks(): void {
    this.match(BLANKS);
  }

  expect(literal: string): void {
    if (!this.take(literal)) throw this.unexpected(`"${literal}"`);
  }

  /** Reads the name of a column, a table or an alias: quoted, or letters, digits, `_`, `$`, spaces and dashes. */
  name(): string {
    const inQuotes = this.match(QUOTED);
    if (inQuotes) return unquote(inQuotes);
    const name = this.match(PLAIN_NAME)?.[0].trim();
    if (!name) throw this.unexpected("field name (* or [a..z0..9_$])");
    return name;
  }

  /** Reads a value in quotes if it ends where one of the stops (or the text) does; else moves nowhere. */
  quotedUpTo(stops: string): string | undefined {
    const start = this.#at;
    const inQuotes = this.match(QUOTED);
    if (inQuotes && (this.done || stops.includes(this.#text.charAt(this.#at)))) return unquote(inQuotes);
    this.#at = start;
    return undefined;
  }

  upTo(stops: string): string {
    const start = this.#at;
    while (!this.done && !stops.includes(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /** Reads one or more, with commas between them and blanks around each. */
  list<Item>(read: () => Item): Item[] {
    const items: Item[] = [];
    do {
      this.skipBlanks();
      items.push(read());
      this.skipBlanks();
    } while (this.take(","));
    return items;
  }

  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  /** PostgREST's words for a text that goes on in another way. */
  unexpected(expected: string): RestError {
    const message = `"failed to parse ${this.#what} (${quoted(this.#text)})" (line 1, column ${this.#at + 1})`;
    const found = this.done
      ? "end of input"
      : `"${String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)}"`;
    return unreadable(message, `unexpected ${found} expecting ${expected}`);
  }
}

/** Reads a text to its end. `what` names it in a refusal ("filter", "order"). */
export function scan<Read>(text: string, what: string, read: (scanner: Scanner) => Read): Read {
  const scanner = new Scanner(text, what);
  const found = read(scanner);
  if (!scanner.done) throw scanner.unexpected("end of input");
  return found;
}

function unquote(inQuotes: RegExpExecArray): string {
  return (inQuotes[1] ?? "").replace(/\\(.)/gs, "$1");
}
