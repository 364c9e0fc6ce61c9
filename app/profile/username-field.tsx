import { type ComponentProps, useEffect, useId, useState } from "react";
import { isValidSlug } from "../../common/data/addresses.ts";
import { hasInvisible, trimInvisible } from "../../common/data/pasted-text.ts";
import { findPerson } from "../../common/data/people-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { openAuth } from "../session/open-auth.ts";
import { TextField } from "../ui/field.tsx";

const DEBOUNCE_MS = 400;

const UNUSABLE =
  "This can't be the address of your page. Use letters without accents, digits, dots, hyphens and underscores.";
const INVISIBLE =
  "This contains an invisible character, so it can't be the address of your page. Delete it and type the username.";
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
  // The form saves the username without what surrounds it.
  const username = trimInvisible(value);
  const isChanged = username !== "" && username !== stored;
  const isUsable = isValidSlug(username);

  useEffect(() => {
    if (!isChanged || !isUsable) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      openAuth()
        .then(({ data }) => findPerson(readerOf(data), username))
        .then((person) => isCurrent && person && person.id !== userId && setTakenName(username))
        .catch(() => undefined);
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [username, isChanged, isUsable, userId]);

  const unusable = hasInvisible(username) ? INVISIBLE : UNUSABLE;
  const problem = isChanged && (isUsable ? takenName === username && TAKEN : unusable);
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
