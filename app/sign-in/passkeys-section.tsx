import type { PasskeyListItem } from "@supabase/auth-js";
import { type FormEvent, useRef } from "react";
import { flushSync } from "react-dom";
import { useRead } from "../operation/use-read.ts";
import { openAuth } from "../session/open-auth.ts";
import { SERVICE_UNREACHABLE } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { focusHeading, mayMoveFocus } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { useExchange } from "../ui/use-exchange.ts";
import { PasskeyMessage } from "./passkey-button.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { useAuthRequest } from "./use-auth-request.ts";
import { useSignInAgain } from "./use-sign-in-again.ts";
import { useWebAuthnSupport } from "./use-webauthn-support.ts";

const MAX_NAME_CHARACTERS = 120;

const nameOf = ({ friendly_name }: PasskeyListItem) => friendly_name || "Passkey";

async function readPasskeys(): Promise<PasskeyListItem[]> {
  const list = await (await openAuth()).passkeys.list();
  if (!list) throw new Error("The passkeys could not be read");
  return list;
}

/** The member's passkeys (contract, "Passkeys"). */
export function PasskeysSection() {
  const list = useRead(readPasskeys);
  const { value: passkeys = [], hasFailed, isReading, isUnread, retry, reload } = list;
  const isSupported = useWebAuthnSupport();
  const request = useAuthRequest("passkeys");
  const { isAsking, ask, answer } = useSignInAgain();

  /** Resolves to the message to show, or to null. */
  async function change(write: Promise<string | null>): Promise<string | null> {
    const problem = await write;
    await reload();
    return problem;
  }

  /** Removes the row in the task that has moved the focus, or screen readers go on at the end of the page. */
  function removeRow(id: string) {
    flushSync(() => list.change((all) => all.filter((passkey) => passkey.id !== id)));
    void reload();
  }

  const add = () =>
    void request.send(
      (auth) => change(auth.passkeys.add(ask)),
      () => announce("Added a passkey."),
    );

  return (
    <Panel title="Passkeys" anchor="passkeys">
      <p className="text-muted">
        A passkey signs you in with your fingerprint, your face, or the PIN of a device or security key.
      </p>
      {hasFailed && (
        <div className="mt-4">
          <TryAgain text={SERVICE_UNREACHABLE} isReading={isReading} onRetry={() => void retry()} />
        </div>
      )}
      {passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="mt-4 border-t border-rule">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              change={change}
              onRemoved={() => removeRow(passkey.id)}
            />
          ))}
        </ul>
      )}
      {!isUnread && (
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
      )}
      {isAsking && (
        <SignInAgain
          text="Your last sign-in was more than 15 minutes ago. Sign in again to add a passkey."
          hasPasskeys={passkeys.length > 0}
          onAnswer={answer}
        />
      )}
    </Panel>
  );
}

interface PasskeyItemProps {
  passkey: PasskeyListItem;
  change(write: Promise<string | null>): Promise<string | null>;
  onRemoved(): void;
}

function PasskeyItem({ passkey, change, onRemoved }: PasskeyItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const { shows, exchange } = useExchange<"passkey" | "form">("passkey");
  const request = useAuthRequest(`passkeys/${passkey.id}`);
  const name = nameOf(passkey);

  const show = (part: "passkey" | "form") =>
    exchange(part, () => {
      const target = item.current?.querySelector<HTMLElement>(part === "form" ? "input" : ".rename");
      if (mayMoveFocus(item.current)) target?.focus();
    });

  function rename(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("name")).trim();
    void request.send(
      (auth) => change(auth.passkeys.rename(passkey.id, typed)),
      () => {
        show("passkey");
        // After the focus has moved, because Orca drops earlier announcements then.
        announce(`Renamed ${name} to ${typed}.`);
      },
    );
  }

  function remove() {
    const row = item.current;
    const section = row?.closest("section");
    void request.send(
      (auth) => auth.passkeys.remove(passkey.id),
      () => {
        if (mayMoveFocus(row)) focusHeading(section?.querySelector("h2"));
        announce(`Deleted ${name}.`);
        onRemoved();
      },
    );
  }

  return (
    <li ref={item} className="border-b border-rule py-3">
      {shows("form") && (
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
            <Button onClick={() => show("passkey")}>Cancel</Button>
          </div>
        </form>
      )}
      {shows("passkey") && (
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
              className="rename"
              aria-label={`Rename ${name}`}
              aria-disabled={request.isBusy}
              onClick={() => show("form")}
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
