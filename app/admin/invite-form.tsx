import { type FormEvent, useState } from "react";
import { invitationLines } from "../../common/data/invitation-lines.ts";
import type { ActionResult } from "../../common/data/operators.ts";
import { useOperation } from "../operation/use-operation.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { useActions } from "./actions.tsx";
import { AdminError, errorMessage } from "./admin-api.ts";

type Result = Partial<ActionResult> & { line: string; problem?: string };

/** The number of lines per request. Small, so that results appear while the other lines are being sent. */
const BATCH = 5;

export function InviteForm({ onInvited }: { onInvited(): Promise<void> }) {
  const { send: sendAction } = useActions();
  const { isPending, run } = useOperation();
  const [text, setText] = useState("");
  const [results, setResults] = useState<Result[]>([]);
  const [count, setCount] = useState(0);

  const invite = () =>
    run(async () => {
      const lines = invitationLines(text);
      const all: Result[] = [];
      setResults([]);
      setCount(lines.length);
      for (let start = 0; start < lines.length; start += BATCH) {
        const batch = lines.slice(start, start + BATCH);
        try {
          const sent = await sendAction<{ results: Omit<Result, "line">[] }>("/invitations", {
            lines: batch,
          });
          all.push(...sent.results.map((result, index) => ({ ...result, line: batch[index] ?? "" })));
        } catch (error) {
          all.push(...batch.map((line) => ({ line, problem: errorMessage(error) })));
          if (error instanceof AdminError && error.code === "cancelled") break;
        }
        setResults([...all]);
      }
      // Lines that failed stay in the field, so that they can be corrected and sent again.
      const isInvited = (index: number) => all[index] !== undefined && all[index].problem === undefined;
      setText(lines.filter((_, index) => !isInvited(index)).join("\n"));
      const failures = all.filter(({ problem }) => problem !== undefined).length;
      announce(`${all.length - failures} of ${lines.length} invited.`);
      await onInvited();
    });

  function submit(event: FormEvent) {
    event.preventDefault();
    void invite();
  }

  return (
    <form onSubmit={submit} aria-busy={isPending}>
      <fieldset disabled={isPending} className="min-w-0 space-y-3">
        <TextArea
          label="Invite"
          rows={3}
          required
          placeholder={"ada@example.com\nAda Byron <ada@example.com>\nAda Byron,ada@example.com"}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" variant="primary">
          Send Invitations
        </Button>
      </fieldset>
      {results.length > 0 && (
        <div className="mt-4">
          <p className="font-medium">{`${results.length} of ${count}`}</p>
          <ul aria-label="Results" className="mt-1 space-y-1 text-sm wrap-anywhere">
            {results.map(({ line, text, link, problem }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may be duplicates, and their order never changes
              <li key={index} className={problem ? "font-medium text-danger" : ""}>
                {problem ? `${line}: ${problem}` : text}
                {link && <span className="block font-mono select-all">{link}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}
