import {
  type ChangeEvent,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { type Column, fieldAttributes } from "../../common/data/columns.ts";
import { hasText } from "../../common/data/has-text.ts";
import { withoutInvisible } from "../../common/data/pasted-text.ts";
import { safeAddress } from "../../common/safe-address.ts";

export const CONTROL = "field text-base text-ink text-ellipsis placeholder:text-muted";

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

export type Labelling = { label: string };

/**
 * Marks a required field as invalid only after the form was rejected because of it. Otherwise, Firefox calls each empty
 * required field invalid, even one that the member has not reached yet.
 */
function useRejection({ required }: { required?: boolean | undefined }) {
  const [isRejected, setIsRejected] = useState(false);
  return (
    required && {
      "aria-invalid": isRejected,
      onInvalid: () => setIsRejected(true),
      onInput: () => setIsRejected(false),
    }
  );
}

export function TextField({ label, className = "", ...rest }: ComponentProps<"input"> & Labelling) {
  const ref = useValidity<HTMLInputElement>(rest);
  const rejection = useRejection(rest);
  const isAddress = rest.type === "email" || isWebAddress(rest);
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          ref={ref}
          type="text"
          dir="auto"
          className={`${CONTROL} ${className}`}
          {...rejection}
          {...(isAddress && { onInputCapture: cleanAddress })}
          {...rest}
        />
      )}
    </Labelled>
  );
}

const isWebAddress = ({ type, inputMode }: Rules) => type === "url" || inputMode === "url";

/** Removes what programs copy with an address, before `onChange` reads it. Browsers reject it with an unclear message. */
function cleanAddress({ currentTarget: input }: FormEvent<HTMLInputElement>): void {
  const address = withoutInvisible(input.value);
  if (address !== input.value) input.value = address;
}

interface Rules {
  required?: boolean | undefined;
  maxLength?: number | undefined;
  type?: string | undefined;
  inputMode?: string | undefined;
  value?: unknown;
}

/** Sets the validation message for values that the browser accepts but the database would reject. */
function useValidity<Element extends HTMLInputElement | HTMLTextAreaElement>({
  required,
  maxLength,
  type,
  inputMode,
  value,
}: Rules) {
  const ref = useRef<Element>(null);
  useEffect(() => {
    const isAddress = isWebAddress({ type, inputMode });
    const problem =
      typeof value === "string" && value ? problemOf(value, { required, maxLength, isAddress }) : "";
    ref.current?.setCustomValidity(problem);
  }, [required, maxLength, type, inputMode, value]);
  return ref;
}

function problemOf(
  value: string,
  { required, maxLength, isAddress }: Rules & { isAddress: boolean },
): string {
  // Text without a visible character gets the browser's message for an empty field.
  if (required && !hasText(value))
    return Object.assign(document.createElement("input"), { required: true }).validationMessage;
  if (isAddress && !safeAddress(value))
    return "Please enter an address that starts with https:// or http://.";
  // Browsers apply `maxlength` only to typed text. A draft, an earlier version or a file can be longer.
  const length = maxLength !== undefined && value.length > maxLength ? [...value].length : 0;
  if (maxLength !== undefined && length > maxLength)
    return `Please use at most ${maxLength.toLocaleString("en")} characters. The text has ${length.toLocaleString("en")}.`;
  return "";
}

export function TextArea({ label, className = "", ...rest }: ComponentProps<"textarea"> & Labelling) {
  const ref = useValidity<HTMLTextAreaElement>(rest);
  const rejection = useRejection(rest);
  return (
    <Labelled label={label}>
      {(id) => (
        <textarea
          id={id}
          ref={ref}
          dir="auto"
          className={`${CONTROL} block resize-y py-2.5 leading-6 ${className}`}
          {...rejection}
          {...rest}
        />
      )}
    </Labelled>
  );
}

interface SelectProps extends Omit<ComponentProps<"select">, "children">, Labelling {
  /** The values with their labels. */
  options?: Record<string, string> | undefined;
  /** The label of an option without a value. If undefined, every option has a value. */
  placeholder?: string;
}

export function Select({ label, options = {}, placeholder, required, ...rest }: SelectProps) {
  // HTML allows a required select only if its first option has no value. Without such an option, one is always chosen.
  const rules = { required: required && placeholder !== undefined };
  const rejection = useRejection(rules);
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} className={CONTROL} {...rules} {...rejection} {...rest}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {Object.entries(options).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function Checkbox({ label, ...rest }: ComponentProps<"input"> & Labelling) {
  return (
    <label className="inline-flex min-h-11 items-center gap-2.5 text-base">
      <input type="checkbox" className="size-5 accent-ink" {...rest} />
      {label}
    </label>
  );
}

type Control<Value> = Value extends boolean
  ? { name: string; checked: boolean; onChange(event: ChangeEvent<HTMLInputElement>): void }
  : {
      name: string;
      value: Value;
      onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void;
      required?: boolean;
      maxLength?: number | undefined;
      /** The options of a `Select`. */
      options?: Record<string, string>;
    };

export type FieldOf<Values> = <Name extends keyof Values & string>(name: Name) => Control<Values[Name]>;

/** Returns a function that connects a form's field to its value and to the rules of its column. */
export function fieldOf<Values extends object>(
  values: Values,
  change: (part: Partial<Values>) => void,
  columns: Record<string, Column>,
): FieldOf<Values> {
  return ((name: keyof Values & string) => {
    const property = typeof values[name] === "boolean" ? "checked" : "value";
    const column = columns[name];
    return {
      ...(column && fieldAttributes(column)),
      name,
      [property]: values[name],
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        // Trim URLs: Chromium lets members submit one with leading spaces, but the database would reject it.
        const isAddress = target.type === "url" || target.inputMode === "url";
        const value = isAddress ? target.value.trim() : target[property];
        change({ [name]: value } as never);
      },
    };
  }) as FieldOf<Values>;
}
