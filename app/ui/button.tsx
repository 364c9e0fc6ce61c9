import type { ComponentProps, MouseEvent } from "react";

const VARIANTS = {
  primary: "bg-ink text-paper border-2 border-ink hover:bg-marker hover:text-on-marker px-4",
  quiet: "border-2 border-ink hover:bg-marker hover:text-on-marker px-4",
  plain: "px-3 underline decoration-2 underline-offset-4 hover:bg-marker hover:text-on-marker",
  danger: "bg-danger text-paper border-2 border-danger hover:bg-marker hover:text-on-marker px-4",
};

type Variant = keyof typeof VARIANTS;

export const buttonClass = (variant: Variant, className: string) =>
  `inline-flex min-h-11 items-center justify-center text-base font-semibold disabled:cursor-default disabled:opacity-55 ${VARIANTS[variant]} ${className}`;

export function Button({
  variant = "quiet",
  className = "",
  ...rest
}: ComponentProps<"button"> & { variant?: Variant }) {
  return <button type="button" className={buttonClass(variant, className)} {...rest} />;
}

export function IconButton({ label, className = "", ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-11 place-items-center text-muted hover:bg-marker hover:text-on-marker aria-disabled:opacity-55 ${className}`}
      {...rest}
    />
  );
}

/** For destructive buttons. Ignores the second click of a double-click, which could hit the next row. */
export function ignoreDoubleClick(act: () => void) {
  return ({ detail }: MouseEvent) => {
    if (detail < 2) act();
  };
}
