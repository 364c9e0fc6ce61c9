import type { ComponentProps, MouseEvent } from "react";

const LOOKS = {
  primary: "bg-ink text-paper border-2 border-ink hover:bg-marker hover:text-on-marker px-4",
  quiet: "border-2 border-ink hover:bg-marker hover:text-on-marker px-4",
  plain: "px-3 underline decoration-2 underline-offset-4 hover:bg-marker hover:text-on-marker",
  danger: "bg-danger text-paper border-2 border-danger hover:bg-marker hover:text-on-marker px-4",
};

export function Button({
  look = "quiet",
  className = "",
  ...rest
}: ComponentProps<"button"> & { look?: keyof typeof LOOKS }) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-11 items-center justify-center text-base font-semibold disabled:cursor-default disabled:opacity-55 ${LOOKS[look]} ${className}`}
      {...rest}
    />
  );
}

export function IconButton({ label, ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-grid size-11 place-items-center text-muted hover:bg-marker hover:text-on-marker aria-disabled:opacity-55"
      {...rest}
    />
  );
}

/** For what is given up for good: by the second click of a double click, the next one may have moved there. */
export function onFirstClick(act: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) act();
  };
}
