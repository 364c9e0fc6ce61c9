import type { PasskeyListItem } from "@supabase/auth-js";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Auth } from "../session/auth.ts";
import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { PasskeyMessage } from "./passkey-button.tsx";
import { useAuthRequest } from "./use-auth-request.ts";
import { useWebAuthnSupport } from "./use-webauthn-support.ts";

const MAX_NAME_CHARACTERS = 120;

const nameOf = ({ friendly_name }: PasskeyListItem) => friendly_name || "Passkey";

/** The member's passkeys (contract, "Passkeys"). */
export function PasskeysSection() {
  const [passkeys, setPasskeys] = useState<PasskeyListItem[] | null>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const newestRead = useRef(0);
  const isSupported = useWebAuthnSupport();
  const request = useAuthRequest();

  const read = useCallback(async (auth: Auth) => {
    const number = ++newestRead.current;
    const list = await auth.passkeys.list();
    // The result of a slow earlier read must not replace the result of a newer one.
    if (number !== newestRead.current) return;
    if (list) setPasskeys(list);
    setIsUnreadable(!list);
  }, []);
  const tryToRead = useCallback(
    () =>
      void openAuth()
        .then(read)
        .catch(() => setIsUnreadable(true)),
    [read],
  );
  useEffect(tryToRead, [tryToRead]);

  /** Resolves to the message to show, or to null. */
  async function change(auth: Auth, write: Promise<string | null>): Promise<string | null> {
    const problem = await write;
    await read(auth);
    return problem;
  }

  const add = () =>
    void request.send(
      (auth) => change(auth, auth.passkeys.add()),
      () => announce("Added a passkey."),
    );

  return (
    <Panel title="Passkeys" anchor="passkeys">
      <p className="text-muted">
        A passkey signs you in with your fingerprint, your face, or the PIN of a device or security key.
      </p>
      {isUnreadable && (
        <div className="mt-4 space-y-3">
          <p role="alert">{SERVICE_UNREACHABLE}</p>
          <Button onClick={tryToRead}>Try Again</Button>
        </div>
      )}
      {passkeys && passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="mt-4 border-t border-rule">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} change={change} />
          ))}
        </ul>
      )}
      <div className="mt-4">
        {isSupported ? (
          <Button aria-disabled={request.isBusy} onClick={add}>
            Add Passkey
          </Button>
        ) : (
          <p className="font-medium">This browser can't add passkeys.</p>
        )}
        <PasskeyMessage>{request.problem}</PasskeyMessage>
      </div>
    </Panel>
  );
}

interface PasskeyItemProps {
  passkey: PasskeyListItem;
  change(auth: Auth, write: Promise<string | null>): Promise<string | null>;
}

function PasskeyItem({ passkey, change }: PasskeyItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const [isRenaming, setIsRenaming] = useState(false);
  const request = useAuthRequest();
  const name = nameOf(passkey);

  // Render synchronously: the focused element is removed, so the focus moves to the controls that replace it.
  function showForm(isForm: boolean) {
    flushSync(() => setIsRenaming(isForm));
    if (mayMoveFocus()) item.current?.querySelector<HTMLElement>(isForm ? "input" : "button")?.focus();
  }

  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("name")).trim();
    void request.send(
      (auth) => change(auth, auth.passkeys.rename(passkey.id, typed)),
      () => {
        announce(`Renamed ${name} to ${typed}.`);
        showForm(false);
      },
    );
  }

  function remove() {
    const row = item.current;
    const section = row?.closest("section");
    void request.send(
      (auth) => change(auth, auth.passkeys.remove(passkey.id)),
      () => {
        announce(`Deleted ${name}.`);
        if (mayMoveFocus(row)) focusHeading(section?.querySelector("h2"));
      },
    );
  }

  return (
    <li ref={item} className="border-b border-rule py-3">
      {isRenaming ? (
        <form method="post" onSubmit={rename} aria-busy={request.isBusy} className="space-y-3">
          <TextField
            label="Name"
            name="name"
            required
            maxLength={MAX_NAME_CHARACTERS}
            defaultValue={name}
            readOnly={request.isBusy}
          />
          <div className="flex gap-2">
            <Button type="submit" variant="primary" aria-disabled={request.isBusy}>
              Save
            </Button>
            <Button onClick={() => showForm(false)}>Cancel</Button>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              <bdi>{name}</bdi>
            </p>
            <p className="text-sm text-muted">
              Added <LocalDate time={passkey.created_at} />,{" "}
              {passkey.last_used_at ? (
                <>
                  last used <LocalDate time={passkey.last_used_at} />
                </>
              ) : (
                "never used"
              )}
            </p>
          </div>
          <div className="-mx-3 flex">
            <Button
              variant="plain"
              aria-label={`Rename ${name}`}
              aria-disabled={request.isBusy}
              onClick={() => showForm(true)}
            >
              Rename
            </Button>
            <Button
              variant="plain"
              aria-label={`Delete ${name}`}
              aria-disabled={request.isBusy}
              onClick={ignoreDoubleClick(remove)}
            >
              Delete
            </Button>
          </div>
        </div>
      )}
      <PasskeyMessage>{request.problem}</PasskeyMessage>
    </li>
  );
}
