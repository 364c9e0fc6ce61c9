import type { ComponentProps } from "react";

const LOOKS = {
  primary: "bg-ink text-on-ink hover:opacity-85 px-4",
  quiet: "border border-line-strong hover:bg-sunken px-4",
  plain: "px-3 text-accent hover:bg-surface",
  danger: "bg-danger text-surface hover:opacity-85 px-4",
};

/** Takes a button's own properties and its look, returns the button. It submits only when told `type="submit"`. */
export function Button({
  look = "quiet",
  className = "",
  ...rest
}: ComponentProps<"button"> & { look?: keyof typeof LOOKS }) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-11 items-center justify-center rounded-md text-sm font-semibold transition-opacity disabled:cursor-default disabled:opacity-55 ${LOOKS[look]} ${className}`}
      {...rest}
    />
  );
}

/** Takes a name for assistive technology and an icon, returns a square button. */
export function IconButton({
  label,
  children,
  className = "",
  ...rest
}: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-11 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-disabled:opacity-55 ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
