import { type FormEvent, useEffect, useRef, useState } from "react";
import { invitationLines } from "../../common/data/invitation-lines.ts";
import { useOperation } from "../operation/use-operation.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { writeToClipboard } from "../ui/copy.ts";
import { TextArea } from "../ui/field.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { saveFile } from "../ui/save-file.ts";
import { useActions } from "./actions.tsx";
import { AdminError, errorMessage } from "./admin-api.ts";
import { failedFirst, type Invited, linksAsCsv, linksAsText, linksOf, type Result } from "./invited.ts";
import { useLosses } from "./losses.tsx";

/** The number of lines per request. Small, so that results appear while the other lines are being sent. */
const BATCH = 5;

interface Progress {
  done: number;
  failed: number;
  total: number;
}

export function InviteForm({ onInvited }: { onInvited(): Promise<void> }) {
  const { send: sendAction } = useActions();
  const { isPending, run } = useOperation();
  const [text, setText] = useState("");
  /** Keeps earlier invitations with a link, because only this list shows their links. */
  const [results, setResults] = useState<Result[]>([]);
  const [progress, setProgress] = useState<Progress>({ done: 0, failed: 0, total: 0 });
  const [keptCount, setKeptCount] = useState(0);
  const stopped = useRef(false);
  useEffect(() => {
    stopped.current = false;
    return () => {
      stopped.current = true;
    };
  }, []);

  const invite = () =>
    run(async () => {
      stopped.current = false;
      const lines = invitationLines(text);
      const earlier = results.filter((result) => linksOf([result]).length > 0);
      const all: Result[] = [];
      setResults(earlier);
      const countFailures = () => all.filter(({ problem }) => problem !== undefined).length;
      setProgress({ done: 0, failed: 0, total: lines.length });
      for (let start = 0; start < lines.length && !stopped.current; start += BATCH) {
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
        setResults([...earlier, ...all]);
        setProgress({ done: all.length, failed: countFailures(), total: lines.length });
      }
      setResults([...earlier, ...all]);
      // Lines that failed stay in the field, so that they can be corrected and sent again.
      const isInvited = (index: number) => all[index] !== undefined && all[index].problem === undefined;
      setText(lines.filter((_, index) => !isInvited(index)).join("\n"));
      const ended = { done: all.length, failed: countFailures(), total: lines.length };
      setProgress(ended);
      announce(summaryOf(ended, false));
      await onInvited();
    });

  function submit(event: FormEvent) {
    event.preventDefault();
    void invite();
  }

  const invited = linksOf(results);
  const losesLinks = invited.length > keptCount;
  const losesLines = !isPending && text.trim() !== "";
  useLosses(
    "members",
    [
      isPending && { title: "Invitations in Progress", text: "The remaining invitations are not sent." },
      losesLinks && {
        title: "Links Not Copied",
        text: "It shows links that you have neither copied nor downloaded.",
      },
      losesLines && { title: "Lines Not Sent", text: "The field Invite has lines that were not sent." },
    ],
    () => {
      stopped.current = true;
    },
  );
  return (
    <form onSubmit={submit} aria-busy={isPending}>
      <fieldset disabled={isPending} className="min-w-0 space-y-3">
        <TextArea
          label="Invite"
          className="h-40 field-sizing-fixed"
          required
          placeholder={"ada@example.com\nAda Byron <ada@example.com>\nAda Byron,ada@example.com"}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" variant="primary">
          Send Invitations
        </Button>
      </fieldset>
      {(isPending || results.length > 0) && (
        <div className="mt-4">
          {isPending && (
            <ProgressBar aria-label="Invitations" value={progress.done} max={Math.max(1, progress.total)} />
          )}
          <p className="font-medium">{summaryOf(progress, isPending)}</p>
          <ul
            aria-label="Results"
            className="mt-1 max-h-80 space-y-1 overflow-y-auto text-sm wrap-anywhere"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            {failedFirst(results).map(({ line, text, link, problem }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may be duplicates, and rows have no state
              <li key={index} className={problem ? "font-medium text-danger" : ""}>
                {problem ? `${line}: ${problem}` : text}
                {link && <span className="block font-mono select-all">{link}</span>}
              </li>
            ))}
          </ul>
          {invited.length > 0 && (
            <LinkActions invited={invited} onKept={() => setKeptCount(invited.length)} />
          )}
        </div>
      )}
    </form>
  );
}

function summaryOf({ done, failed, total }: Progress, isPending: boolean): string {
  if (isPending) return `Inviting ${done} of ${total}…`;
  const left = total - done + failed;
  const kept = left === 1 ? "1 line is still in the field." : `${left} lines are still in the field.`;
  return `${done - failed} of ${total} invited.${left > 0 ? ` ${kept}` : ""}`;
}

/** Keeps the links of several invitations, which the operator has to pass on. */
function LinkActions({ invited, onKept }: { invited: readonly Invited[]; onKept(): void }) {
  const { run } = useOperation();

  async function copy() {
    const result = await run(() => writeToClipboard(linksAsText(invited)));
    if (result.is === "done") onKept();
    announce(result.is === "done" ? "Links copied" : "The browser did not allow it. Download the links.");
  }

  function download() {
    saveFile(new Blob([linksAsCsv(invited)], { type: "text/csv" }), "invitation-links.csv");
    onKept();
    announce("The links have been downloaded.");
  }

  return (
    <div className="mt-3 flex flex-wrap gap-3">
      <Button onClick={() => void copy()}>Copy All Links</Button>
      <Button onClick={download}>Download Links</Button>
    </div>
  );
}
