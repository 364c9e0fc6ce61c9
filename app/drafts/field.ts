import type { ChangeEvent } from "react";

type Control<Value> = Value extends boolean
  ? { name: string; checked: boolean; onChange(event: ChangeEvent<HTMLInputElement>): void }
  : {
      name: string;
      value: Value;
      onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void;
    };

export type FieldOf<Values> = <Name extends keyof Values & string>(name: Name) => Control<Values[Name]>;

export function fieldOf<Values extends object>(
  values: Values,
  change: (part: Partial<Values>) => void,
): FieldOf<Values> {
  return ((name: keyof Values & string) => {
    const property = typeof values[name] === "boolean" ? "checked" : "value";
    return {
      name,
      [property]: values[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change({ [name]: target[property] } as never),
    };
  }) as FieldOf<Values>;
}
