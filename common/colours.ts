/** Colours of the light scheme (tokens.css) for emails and social cards, which don't support custom properties. */
export const PAPER = "#f6f6f1";
export const INK = "#11150f";
export const MUTED = "#565b50";
export const MARKER = "#ffd84d";
