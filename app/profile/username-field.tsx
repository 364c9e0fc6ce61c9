import { type ComponentProps, useEffect, useId, useState } from "react";
import { isValidSlug } from "../../common/data/addresses.ts";
import { findPerson } from "../../common/data/people-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { openAuth } from "../session/open-auth.ts";
import { TextField } from "../ui/field.tsx";

const DEBOUNCE_MS = 400;

const UNUSABLE =
  "This can't be the address of your page. Use letters without accents, digits, dots, hyphens and underscores.";
const TAKEN = "Another member has this username. It can't be the address of your page.";

interface UsernameFieldProps extends Omit<ComponentProps<"input">, "value"> {
  userId: string;
  value: string;
  /** The saved username, for which no hint is shown. */
  stored: string;
}

/** Shows a hint if the typed username can't be the address of the member's page. The username can still be saved. */
export function UsernameField({ userId, stored, value, ...rest }: UsernameFieldProps) {
  const helpId = useId();
  const [takenName, setTakenName] = useState<string>();
  const isChanged = value !== "" && value !== stored;
  const isUsable = isValidSlug(value);

  useEffect(() => {
    if (!isChanged || !isUsable) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      openAuth()
        .then(({ data }) => findPerson(readerOf(data), value))
        .then((person) => isCurrent && person && person.id !== userId && setTakenName(value))
        .catch(() => undefined);
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [value, isChanged, isUsable, userId]);

  const problem = isChanged && (isUsable ? takenName === value && TAKEN : UNUSABLE);
  return (
    <div>
      <TextField
        label="Username"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={helpId}
        value={value}
        {...rest}
      />
      <p id={helpId} role="status" className="mt-1 text-sm text-muted empty:hidden">
        {problem}
      </p>
    </div>
  );
}
