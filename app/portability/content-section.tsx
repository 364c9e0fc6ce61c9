import { lazy, useRef, useState } from "react";
import { useOperation } from "../operation/use-operation.ts";
import { memberData } from "../session/member-data.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { Panel } from "../ui/panel.tsx";
import { Unread } from "../ui/unread.tsx";
import { ImportFields } from "./import-fields.tsx";

const OwnPictures = lazy(() => import("../pictures/own-pictures.tsx"));
const ImportPanel = lazy(() => import("./import-panel.tsx"));

const READ_FAILED = "Your content could not be read. Try again in a moment.";

/** Lets members download and import their content, and lists their pictures. */
interface ContentSectionProps {
  userId: string;
  /** @param replaced whether the profile or the skills were replaced */
  onImported(replaced: boolean): void;
}

export function ContentSection({ userId, onImported }: ContentSectionProps) {
  const { isPending, run } = useOperation();
  const [message, setMessage] = useState<{ text: string; isProblem: boolean } | null>(null);
  const [chosen, setChosen] = useState<{ key: number; files: File[] } | null>(null);
  const [isImporting, setIsImporting] = useState(false);
  // Incremented after an import, so that the list of pictures shows the new ones.
  const [importCount, setImportCount] = useState(0);
  const input = useRef<HTMLInputElement>(null);

  function showMessage(text: string, isProblem = false) {
    setMessage({ text, isProblem });
    announce(text);
  }

  function download() {
    showMessage("Preparing your download…");
    void run(async () => {
      try {
        const { downloadContent } = await import("./export/download.ts");
        await downloadContent(await memberData(), userId);
        showMessage("Your download is ready.");
      } catch {
        showMessage(READ_FAILED, true);
      }
    });
  }

  function choose(files: File[]) {
    setMessage(null);
    setChosen({ key: performance.now(), files });
  }

  function close() {
    setChosen(null);
    input.current?.focus();
  }

  return (
    <Panel title="Your Content" anchor="content">
      <div className="space-y-5">
        <Button disabled={isPending} onClick={download}>
          Download My Content
        </Button>
        {message && (
          <p className={`text-sm font-medium ${message.isProblem ? "text-danger" : ""}`}>{message.text}</p>
        )}
        <ImportFields ref={input} isDisabled={isImporting} onChoose={choose} />
        <LoadBoundary fallback={<Unread />}>
          <OwnPictures userId={userId} importCount={importCount} />
        </LoadBoundary>
        {chosen && (
          <LoadBoundary key={chosen.key} fallback={<p className="text-sm">Reading…</p>}>
            <ImportPanel
              files={chosen.files}
              userId={userId}
              onImported={(replaced) => {
                setImportCount((count) => count + 1);
                onImported(replaced);
              }}
              onRunning={setIsImporting}
              onClose={close}
            />
          </LoadBoundary>
        )}
      </div>
    </Panel>
  );
}
