import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type InvitationLink, MAX_LINK_DAYS, MAX_LINK_PEOPLE } from "../../common/data/invitation-links.ts";
import type { ActionResult, NewInvitationLink } from "../../common/data/operators.ts";
import { useOperation } from "../operation/use-operation.ts";
import { useRead } from "../operation/use-read.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { writeToClipboard } from "../ui/copy.ts";
import { AlertDialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { focusResults } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { Unread } from "../ui/unread.tsx";
import { useActions } from "./actions.tsx";
import { AdminError, callAdmin, errorMessage } from "./admin-api.ts";
import { useLosses } from "./losses.tsx";
import { OutcomeNotices, RowStatusText, useOutcomes } from "./outcome.tsx";

const subjectOf = ({ id }: InvitationLink) => `invitation-links/${id}`;

interface Created extends NewInvitationLink {
  isCopied: boolean;
}

export function InvitationLinksRegion() {
  const { send } = useActions();
  const outcomes = useOutcomes();
  /** The new links, newest first. The site shows each of them only here. */
  const [created, setCreated] = useState<readonly Created[]>([]);
  const notice = useRef<HTMLDivElement>(null);
  const [closing, setClosing] = useState<InvitationLink | null>(null);
  const list = useRead(async () => (await callAdmin<{ rows: InvitationLink[] }>("/invitation-links")).rows);
  const links = list.value ?? [];

  useLosses("invitation-links", [
    created.some(({ isCopied }) => !isCopied) && {
      title: "Link Not Copied",
      text: "It shows an invitation link that you have not copied. The site can't show it again.",
    },
  ]);

  async function showCreated(link: NewInvitationLink) {
    flushSync(() =>
      setCreated((known) => [{ ...link, isCopied: false }, ...known.filter(({ isCopied }) => !isCopied)]),
    );
    announce(link.text);
    focusResults(notice.current, notice.current?.firstElementChild);
    await list.reload();
  }

  const markCopied = (copied: Created) =>
    setCreated((known) => known.map((each) => (each.id === copied.id ? { ...each, isCopied: true } : each)));

  async function close(link: InvitationLink) {
    setClosing(null);
    const path = `/invitation-links/${link.id}/close`;
    const job = {
      subject: subjectOf(link),
      name: "the link",
      act: () => send<ActionResult>(path, {}),
    };
    await outcomes.run("Close", [job], async () => {
      outcomes.leaveRow(subjectOf(link));
      flushSync(() => {
        list.change((shown) => shown.filter(({ id }) => id !== link.id));
        setCreated((known) => known.filter(({ id }) => id !== link.id));
      });
    });
    // Another operator may have closed this link, or others.
    await list.reload();
    outcomes.receiveFocus();
  }

  return (
    <Panel title="Invitation Links" anchor="invitation-links">
      {list.isUnread && <Unread />}
      <p className="mb-4 text-sm text-muted">
        Several people can join with one link. Each of them enters an email address, and gets an email with a
        link for choosing a password.
      </p>
      <NewLinkForm onCreated={showCreated} onFailed={list.reload} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div
        ref={notice}
        tabIndex={-1}
        role="group"
        aria-label="New links"
        className="outline-none empty:hidden"
      >
        {created.map((link) => (
          <NewLink key={link.id} link={link} onCopied={() => markCopied(link)} />
        ))}
      </div>
      <OutcomeNotices {...outcomes} />
      {list.hasFailed && (
        <div className="py-4">
          <TryAgain
            text={errorMessage(list.error)}
            isReading={list.isReading}
            onRetry={() => void list.retry()}
          />
        </div>
      )}
      {list.value && links.length === 0 && <p className="py-6 text-muted">There is no open link.</p>}
      {links.length > 0 && (
        <ul aria-label="Invitation Links" className="mt-6 border-t border-rule">
          {links.map((link) => (
            <li
              key={link.id}
              data-subject={subjectOf(link)}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-rule py-3"
            >
              <div className="min-w-0 wrap-anywhere">
                <p className="font-semibold">{`${link.used} of ${link.people}`}</p>
                <p className="text-sm text-muted">
                  {"Last day: "}
                  <LocalDate time={link.expires_at} />
                  {link.domains.length > 0 && `, only addresses at ${link.domains.join(", ")}`}
                </p>
                <RowStatusText status={outcomes.statusOf(subjectOf(link))} />
              </div>
              <Button onClick={() => setClosing(link)}>Close</Button>
            </li>
          ))}
        </ul>
      )}
      {closing && (
        <AlertDialog
          title="Close the Link?"
          text={`${closing.used} of ${closing.people} have joined. Nobody else can join with it, not even people who have its email already.`}
          onCancel={() => setClosing(null)}
        >
          <Button onClick={() => setClosing(null)}>Cancel</Button>
          <Button variant="danger" onClick={() => void close(closing)}>
            Close Link
          </Button>
        </AlertDialog>
      )}
    </Panel>
  );
}

interface NewLinkFormProps {
  onCreated(link: NewInvitationLink): Promise<void>;
  onFailed(): Promise<void>;
}

function NewLinkForm({ onCreated, onFailed }: NewLinkFormProps) {
  const { send } = useActions();
  const { isPending, run } = useOperation();
  const [problem, setProblem] = useState<string | null>(null);

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const body = {
      people: Number(fields.get("people")),
      days: Number(fields.get("days")),
      domains: String(fields.get("domains")),
    };
    const result = await run(() => {
      setProblem(null);
      return send<NewInvitationLink>("/invitation-links", body);
    });
    if (result.is === "done") {
      await onCreated(result.value);
    } else if (result.is === "failed") {
      if (result.error instanceof AdminError && result.error.code === "cancelled") return;
      setProblem(errorMessage(result.error));
      // The link may have been made although its response was lost.
      await onFailed();
    }
  }

  return (
    <>
      <form onSubmit={(event) => void create(event)} aria-busy={isPending}>
        <fieldset
          disabled={isPending}
          className="grid min-w-0 grid-cols-2 items-end gap-x-5 gap-y-3 sm:grid-cols-4"
        >
          <TextField
            label="People"
            name="people"
            type="number"
            required
            min={1}
            max={MAX_LINK_PEOPLE}
            defaultValue={10}
          />
          <TextField
            label="Days"
            name="days"
            type="number"
            required
            min={1}
            max={MAX_LINK_DAYS}
            defaultValue={7}
          />
          <div className="max-sm:col-span-2">
            <TextField
              label="Email domains"
              name="domains"
              placeholder="example.com, example.org"
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
          <Button type="submit" variant="primary" className="max-sm:col-span-2">
            Create Link
          </Button>
        </fieldset>
      </form>
      {problem !== null && (
        <p role="alert" className="mt-4 font-medium wrap-anywhere text-danger">
          {problem}
        </p>
      )}
    </>
  );
}

function NewLink({ link: { text, link }, onCopied }: { link: Created; onCopied(): void }) {
  const { run } = useOperation();

  async function copy() {
    const result = await run(() => writeToClipboard(link));
    if (result.is === "superseded") return;
    if (result.is === "done") onCopied();
    announce(
      result.is === "done" ? "Link copied" : "The browser did not allow it. Select the link, and copy it.",
    );
  }

  return (
    <div className="my-4 space-y-2 border-2 border-ink p-4">
      <p className="font-medium">{text}</p>
      <p className="font-mono text-sm wrap-anywhere select-all" onCopy={onCopied}>
        {link}
      </p>
      <Button onClick={() => void copy()}>Copy</Button>
    </div>
  );
}
