import type { ComponentProps } from "react";

/** Browsers ignore `accent-color` here because the site's styles reset the border, and Chromium's bar is then green. */
const COLORS =
  "appearance-none bg-sunken [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ink [&::-moz-progress-bar]:bg-ink indeterminate:[&::-moz-progress-bar]:bg-transparent";
const FORCED =
  "forced-colors:border forced-colors:[&::-webkit-progress-value]:forced-color-adjust-none forced-colors:[&::-webkit-progress-value]:bg-highlight forced-colors:[&::-moz-progress-bar]:forced-color-adjust-none forced-colors:[&::-moz-progress-bar]:bg-highlight";

export function ProgressBar({ className = "h-2.5 w-full", ...rest }: ComponentProps<"progress">) {
  return <progress className={`${COLORS} ${FORCED} ${className}`} {...rest} />;
}
