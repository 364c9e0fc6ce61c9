import { CONTROL } from "../ui/field.tsx";
import { MAX_SEARCH_LENGTH } from "./search-params.ts";

interface SearchFieldProps {
  name: string;
  label: string;
  value: string;
}

export function SearchField({ name, label, value, placeholder }: SearchFieldProps & { placeholder: string }) {
  return (
    <input
      type="search"
      name={name}
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      autoComplete="off"
      dir="auto"
      maxLength={MAX_SEARCH_LENGTH}
      className={CONTROL}
    />
  );
}

interface SearchSelectProps extends SearchFieldProps {
  /** Maps each value to its label. */
  options: Record<string, string>;
}

export function SearchSelect({ name, label, value, options }: SearchSelectProps) {
  return (
    <select name={name} aria-label={label} defaultValue={value} className={CONTROL}>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}
