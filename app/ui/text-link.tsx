import { Link, type LinkProps } from "react-router";

/** An underlined link that fills a line, high enough for a finger. */
export const TextLink = ({ className = "", ...props }: LinkProps & { className?: string }) => (
  <Link
    {...props}
    className={`inline-flex min-h-11 items-center text-ink underline underline-offset-4 ${className}`.trim()}
  />
);
