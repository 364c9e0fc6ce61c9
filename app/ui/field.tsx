import { type ComponentProps, type ReactNode, useId } from "react";

const CONTROL =
  "w-full border-b-2 border-ink bg-transparent px-0 text-base text-ink placeholder:text-muted min-h-11 text-ellipsis";

/** Takes a label and a control that is given the label's id, returns them stacked. */
function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-mono text-sm text-muted">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

type Labelling = { label: string };

/** Takes a label and an input's own properties, returns the labelled single-line field. */
export function TextField({ label, className = "", ...rest }: ComponentProps<"input"> & Labelling) {
  return (
    <Labelled label={label}>
      {(id) => <input id={id} type="text" className={`${CONTROL} ${className}`} {...rest} />}
    </Labelled>
  );
}

/** Takes a label and a textarea's own properties, returns the labelled multi-line field. */
export function TextArea({ label, className = "", ...rest }: ComponentProps<"textarea"> & Labelling) {
  return (
    <Labelled label={label}>
      {(id) => (
        <textarea id={id} className={`${CONTROL} block resize-y py-2.5 leading-6 ${className}`} {...rest} />
      )}
    </Labelled>
  );
}

/** Takes a label, a select's own properties and its options, returns the labelled drop-down. */
export function Select({ label, className = "", ...rest }: ComponentProps<"select"> & Labelling) {
  return (
    <Labelled label={label}>
      {(id) => <select id={id} className={`${CONTROL} ${className}`} {...rest} />}
    </Labelled>
  );
}

/** Takes a label and a checkbox's own properties, returns the checkbox with its label beside it. */
export function Checkbox({ label, ...rest }: ComponentProps<"input"> & Labelling) {
  return (
    <label className="inline-flex min-h-11 items-center gap-2.5 text-base">
      <input type="checkbox" className="size-5 accent-ink" {...rest} />
      {label}
    </label>
  );
}

/** Takes the properties of an input, returns a field without a visible label; give it an `aria-label`. */
export function BareField({ className = "", ...rest }: ComponentProps<"input">) {
  return <input className={`${CONTROL} ${className}`} {...rest} />;
}

/** Takes the properties of a select, returns a drop-down without a visible label; give it an `aria-label`. */
export function BareSelect({ className = "", ...rest }: ComponentProps<"select">) {
  return <select className={`${CONTROL} ${className}`} {...rest} />;
}
