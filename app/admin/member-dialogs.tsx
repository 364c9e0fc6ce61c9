import { useState } from "react";
import type { ContentCount, ListedMember } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { useRead } from "../operation/use-read.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog, DialogField } from "../ui/dialog.tsx";
import { Select } from "../ui/field.tsx";
import { callAdmin, errorMessage } from "./admin-api.ts";
import { formatBytes } from "./format-bytes.ts";

export interface MemberQuestion {
  kind: "suspend" | "retire" | "clear-profile" | "remove-content" | "remove";
  member: ListedMember;
}

interface DialogProps {
  member: ListedMember;
  onCancel(): void;
  /** `body` is the body of the action's request. */
  onConfirm(body: object): void;
}

/** Asks before an action that an operator can't undo on the page, or that needs more information. */
export function MemberDialog({
  question,
  ...rest
}: Omit<DialogProps, "member"> & { question: MemberQuestion }) {
  const props = { ...rest, member: question.member };
  switch (question.kind) {
    case "suspend":
      return <SuspendDialog {...props} />;
    case "retire":
      return <RetireDialog {...props} />;
    case "clear-profile":
      return <ClearDialog {...props} />;
    case "remove-content":
      return <RemoveContentDialog {...props} />;
    case "remove":
      return <RemoveDialog {...props} />;
  }
}

/** Lengths of suspensions, in the format of the command's option `--for`. */
export const DURATIONS = {
  "1d": "1 day",
  "7d": "7 days",
  "30d": "30 days",
  "365d": "1 year",
  "": "Until unsuspended",
};

function SuspendDialog({ member, onCancel, onConfirm }: DialogProps) {
  const [duration, setDuration] = useState("7d");
  return (
    <AlertDialog
      title="Suspend"
      text={`${member.email} will be signed out, and cannot sign in during this time. Their content stays.`}
      onCancel={onCancel}
      fields={
        <Select
          label="Duration"
          options={DURATIONS}
          value={duration}
          onChange={({ target }) => setDuration(target.value)}
        />
      }
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" onClick={() => onConfirm(duration ? { for: duration } : {})}>
        Suspend
      </Button>
    </AlertDialog>
  );
}

function RetireDialog({ member, onCancel, onConfirm }: DialogProps) {
  return (
    <AlertDialog
      title="Retire"
      text={`${member.email} will be signed out, can no longer sign in, and is no longer listed among the professionals. Their items stay.`}
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" onClick={() => onConfirm({})}>
        Retire
      </Button>
    </AlertDialog>
  );
}

function ClearDialog({ member, onCancel, onConfirm }: DialogProps) {
  return (
    <AlertDialog
      title="Clear Profile"
      text={`This empties the profile of ${member.email}: bio, title, company, links, featured skills and portrait. The names stay.`}
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" onClick={() => onConfirm({})}>
        Clear Profile
      </Button>
    </AlertDialog>
  );
}

function RemoveContentDialog({ member, onCancel, onConfirm }: DialogProps) {
  const amount = useAmount(member);
  const isKnown = amount !== null && typeof amount === "object";
  return (
    <AlertDialog
      title="Remove Content"
      text={
        isKnown
          ? `This removes all content of ${member.email}: ${amountText(amount)}.`
          : (amount ?? "Counting...")
      }
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" disabled={!isKnown} onClick={() => onConfirm({})}>
        Remove Content
      </Button>
    </AlertDialog>
  );
}

function RemoveDialog({ member, onCancel, onConfirm }: DialogProps) {
  const [typed, setTyped] = useState("");
  const isConfirmed = typed.trim().toLowerCase() === member.email;
  return (
    <AlertDialog
      title="Remove"
      text={`This removes ${member.email} and everything they own. Type the email address to confirm.`}
      onCancel={onCancel}
      fields={
        <DialogField
          label="Email address"
          type="email"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      }
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" disabled={!isConfirmed} onClick={() => onConfirm({ email: typed })}>
        Remove
      </Button>
    </AlertDialog>
  );
}

/** Returns the amount of a member's content, null while it loads, or a message if it can't be read. */
function useAmount({ id }: ListedMember): ContentCount | string | null {
  const { value, error, hasFailed } = useRead(() => callAdmin<ContentCount>(`/members/${id}/content`), id);
  return hasFailed ? errorMessage(error) : (value ?? null);
}

function amountText({ counts, pictures, pictureBytes }: ContentCount): string {
  const items = KINDS.map(({ table, name }) => `${counts[table] ?? 0} ${name.toLowerCase()}`);
  return `${items.join(", ")} and ${pictures} pictures (${formatBytes(pictureBytes)})`;
}
