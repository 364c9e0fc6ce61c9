/** What members wrote must not steer the operator's terminal, nor reorder what it shows. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

export function printableLine(text: string): string {
  return text.replace(STEERING, " ");
}

export function printableText(text: string): string {
  return text.replace(STEERING, (sign) => (sign === "\n" || sign === "\t" ? sign : " "));
}
