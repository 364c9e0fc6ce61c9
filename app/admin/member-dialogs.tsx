import { useState } from "react";
import type { ContentCount, ListedItem, ListedMember } from "../../common/data/operators.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { useOperation } from "../operation/use-operation.ts";
import { useRead } from "../operation/use-read.ts";
import { memberData } from "../session/member-data.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog, DialogField } from "../ui/dialog.tsx";
import { Select } from "../ui/field.tsx";
import { callAdmin, errorMessage } from "./admin-api.ts";
import { formatBytes } from "./format-bytes.ts";
import { listOf, type MemberAction } from "./member-actions.ts";

const QUESTIONS = ["suspend", "retire", "clear-profile", "remove-content", "remove"] as const;

export interface MemberQuestion {
  kind: (typeof QUESTIONS)[number];
  members: ListedMember[];
}

/** Whether the action asks before it begins. */
export const isQuestion = (action: MemberAction): action is MemberQuestion["kind"] =>
  QUESTIONS.some((kind) => kind === action);

interface DialogProps {
  members: ListedMember[];
  onCancel(): void;
  /** `bodyOf` returns the body of the action's request. */
  onConfirm(bodyOf: (member: ListedMember) => object): void;
}

const noBody = () => ({});

/** Asks before an action that an operator can't undo on the page, or that needs more information. */
export function MemberDialog({
  question: { kind, members },
  ...rest
}: Omit<DialogProps, "members"> & { question: MemberQuestion }) {
  const props = { ...rest, members };
  switch (kind) {
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

function SuspendDialog({ members, onCancel, onConfirm }: DialogProps) {
  const [duration, setDuration] = useState("7d");
  return (
    <AlertDialog
      title="Suspend"
      text={`${listOf(members)} will be signed out, and cannot sign in during this time. Their content stays.`}
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
      <Button variant="danger" onClick={() => onConfirm(() => (duration ? { for: duration } : {}))}>
        Suspend
      </Button>
    </AlertDialog>
  );
}

function RetireDialog({ members, onCancel, onConfirm }: DialogProps) {
  return (
    <AlertDialog
      title="Retire"
      text={`${listOf(members)} will be signed out, cannot sign in, and will not be listed among the professionals. Their items stay.`}
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" onClick={() => onConfirm(noBody)}>
        Retire
      </Button>
    </AlertDialog>
  );
}

function ClearDialog({ members, onCancel, onConfirm }: DialogProps) {
  return (
    <AlertDialog
      title="Clear Profile"
      text={`This empties the profile of ${listOf(members)}: bio, title, company, links, featured skills and portrait. The names stay.`}
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" onClick={() => onConfirm(noBody)}>
        Clear Profile
      </Button>
    </AlertDialog>
  );
}

function RemoveContentDialog({ members, onCancel, onConfirm }: DialogProps) {
  const amount = useAmount(members);
  const isKnown = amount !== null && typeof amount === "object";
  return (
    <AlertDialog
      title="Remove Content"
      text={
        isKnown
          ? `This removes all content of ${listOf(members)}: ${amountText(amount)}.`
          : (amount ?? "Counting...")
      }
      onCancel={onCancel}
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="danger" disabled={!isKnown} onClick={() => onConfirm(noBody)}>
        Remove Content
      </Button>
    </AlertDialog>
  );
}

/** The operator types the address of one member, or the number of several. */
function RemoveDialog({ members, onCancel, onConfirm }: DialogProps) {
  const [typed, setTyped] = useState("");
  const amount = useAmount(members);
  const [only] = members;
  const isOne = members.length === 1;
  const expected = isOne ? only?.email : `${members.length}`;
  const isConfirmed = typed.trim().toLowerCase() === expected;
  const content = amount !== null && typeof amount === "object" ? amountText(amount) : listedText(members);
  const toType = isOne ? "the email address" : "the number of members";
  return (
    <AlertDialog
      title="Remove"
      text={`This removes ${listOf(members)} and everything they own: ${content}. Type ${toType} to confirm.`}
      onCancel={onCancel}
      fields={
        <>
          <DialogField
            label={isOne ? "Email address" : "Number of members"}
            type={isOne ? "email" : "text"}
            inputMode={isOne ? "email" : "numeric"}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          {isOne && only && <DownloadCopy member={only} />}
        </>
      }
    >
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        variant="danger"
        disabled={!isConfirmed}
        onClick={() => onConfirm(({ email }) => ({ email: isOne ? typed : email }))}
      >
        Remove
      </Button>
    </AlertDialog>
  );
}

/** Downloads what the member could download. The messages are in the dialog: the rest of the page is inert. */
function DownloadCopy({ member: { id } }: { member: ListedMember }) {
  const { isPending, run } = useOperation();
  const [message, setMessage] = useState("");

  async function download() {
    setMessage("Preparing the download…");
    const result = await run(async () => {
      const { downloadContent } = await import("../portability/export/download.ts");
      await downloadContent(await memberData(), id, () => picturesOf(id));
    });
    if (result.is === "done") setMessage("The copy has been downloaded.");
    if (result.is === "failed") setMessage("The content could not be read. Try again in a moment.");
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) void download();
        }}
      >
        Download
      </Button>
      <p role="status" className="text-sm">
        {message || "A copy of their content"}
      </p>
    </div>
  );
}

/** Members can list only their own pictures in the bucket, so this reads the list of operators. */
async function picturesOf(id: string): Promise<{ path: string }[]> {
  const pictures: { path: string }[] = [];
  let after: ListedItem | undefined;
  for (;;) {
    const query = new URLSearchParams({ q: `@${id}`, type: "pictures" });
    if (after) {
      const { created_at, type, id } = after;
      query.set("after", JSON.stringify({ created_at, type, id }));
    }
    const page = await callAdmin<{ rows: ListedItem[]; isComplete: boolean }>(`/content?${query}`);
    pictures.push(...page.rows.map((row) => ({ path: row.id })));
    after = page.rows.at(-1);
    if (page.isComplete || after === undefined) return pictures;
  }
}

/** Returns the amount of the members' content, null while it loads, or a message if it can't be read. */
function useAmount(members: readonly ListedMember[]): ContentCount | string | null {
  const { value, error, hasFailed } = useRead(async () => {
    const total: ContentCount = { counts: {}, pictures: 0, pictureBytes: 0 };
    for (const { id } of members) {
      const { counts, pictures, pictureBytes } = await callAdmin<ContentCount>(`/members/${id}/content`);
      for (const [table, count] of Object.entries(counts))
        total.counts[table] = (total.counts[table] ?? 0) + count;
      total.pictures += pictures;
      total.pictureBytes += pictureBytes;
    }
    return total;
  }, members.map(({ id }) => id).join());
  return hasFailed ? errorMessage(error) : (value ?? null);
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function itemsText(counts: Record<string, number>): string {
  const total = KINDS.reduce((sum, { table }) => sum + (counts[table] ?? 0), 0);
  const parts = KINDS.map(({ table, itemName }) => plural(counts[table] ?? 0, itemName.toLowerCase()));
  return `${plural(total, "item")} (${parts.join(", ")})`;
}

function amountText({ counts, pictures, pictureBytes }: ContentCount): string {
  return `${itemsText(counts)} and ${plural(pictures, "picture")} (${formatBytes(pictureBytes)})`;
}

/** The content as the list shows it, until the amount has been read. */
function listedText(members: readonly ListedMember[]): string {
  const counts: Record<string, number> = {};
  for (const member of members)
    for (const [table, count] of Object.entries(member.counts)) counts[table] = (counts[table] ?? 0) + count;
  return `${itemsText(counts)} and all pictures`;
}
