import { type ChangeEvent, type DragEvent, type Ref, useId, useState } from "react";
import { TextField } from "../ui/field.tsx";
import { droppedFiles } from "./dropped-files.ts";

const FILE_FIELD =
  "py-2 text-sm file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-semibold";

interface ImportFieldsProps {
  ref: Ref<HTMLInputElement>;
  isDisabled: boolean;
  onChoose(files: File[]): void;
}

/** Fields for choosing files or a folder to import. Both can also be dropped here. */
export function ImportFields({ ref, isDisabled, onChoose }: ImportFieldsProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const helpId = useId();

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const files = [...(target.files ?? [])];
    // Reset, so that choosing the same files again fires a change event.
    target.value = "";
    if (files.length > 0) onChoose(files);
  }

  function accept(event: DragEvent) {
    if (isDisabled || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsDraggedOver(true);
  }

  async function drop(event: DragEvent) {
    if (isDisabled) return;
    event.preventDefault();
    setIsDraggedOver(false);
    const files = await droppedFiles(event.dataTransfer);
    if (files.length > 0) onChoose(files);
  }

  const field = {
    type: "file",
    multiple: true,
    disabled: isDisabled,
    onChange: choose,
    className: FILE_FIELD,
    "aria-describedby": helpId,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users can use the file fields instead
    <div
      className={`space-y-3 outline-offset-8 ${isDraggedOver ? "outline-2 outline-dashed outline-ink" : ""}`}
      onDragOver={accept}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField ref={ref} label="Import Content" accept=".zip,.md,.markdown" {...field} />
        <TextField label="Import Folder" {...field} {...{ webkitdirectory: "" }} />
      </div>
      <p id={helpId} className="text-sm text-muted">
        Choose or drop .zip archives, Markdown files (.md), or folders that contain them.
      </p>
    </div>
  );
}
