import { type ClipboardEvent, type ComponentProps, type DragEvent, useEffect, useId, useRef } from "react";
import { MarkdownArea } from "../ui/field.tsx";
import { COMMAND_KEY } from "../ui/text-editing.ts";
import { PictureButton } from "./picture-button.tsx";
import { alternativeText, findPlaceholder, placeholderAddress } from "./placeholder.ts";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

const WAIT_FOR_UPLOADS = "Wait until the pictures are uploaded, or cancel the uploads.";

/** A Markdown field to which members add pictures with a button, by pasting or by dropping. */
export function PictureTextArea({ value, ...rest }: ComponentProps<typeof MarkdownArea> & { value: string }) {
  const container = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const area = () => container.current?.querySelector("textarea") ?? null;
  const { uploads, problem, start, abandon } = useUploads("text", {
    onUploaded: (id, address) => {
      const text = area()?.value ?? "";
      const placeholder = placeholderAddress(id);
      const at = text.indexOf(`(${placeholder})`) + 1;
      if (at > 0) replaceText(area(), at, at + placeholder.length, address);
    },
    onAborted: (id) => {
      const placeholder = findPlaceholder(area()?.value ?? "", placeholderAddress(id));
      if (placeholder) replaceText(area(), placeholder.start, placeholder.end, "");
    },
  });

  // Block saving while pictures are uploading. The field has an effect that also sets the custom validity. It can't
  // overwrite this message, because React runs the effects of children first.
  const isUploading = uploads.length > 0;
  useEffect(() => {
    const field = container.current?.querySelector("textarea");
    if (isUploading) field?.setCustomValidity(WAIT_FOR_UPLOADS);
    else if (field?.validationMessage === WAIT_FOR_UPLOADS) field.setCustomValidity("");
  });

  // Cancel an upload if its placeholder has disappeared: the member deleted it, or the form now shows another item.
  useEffect(() => {
    for (const { id } of uploads) if (!value.includes(placeholderAddress(id))) abandon(id);
  });

  function add(files: File[]) {
    const field = area();
    if (files.length === 0 || !field || field.matches(":disabled")) return;
    field.focus();
    const names = files.map(({ name }) => alternativeText(name));
    const text = start(files)
      .map((id, index) => `![${names[index]}](${placeholderAddress(id)})`)
      .join("\n\n");
    const at = field.selectionStart;
    // Members can undo the insertion only if `execCommand` makes it.
    if (!document.execCommand("insertText", false, text)) replaceText(field, at, field.selectionEnd, text);
    // Select the alternative text, so that typing replaces it.
    field.setSelectionRange(at + 2, at + 2 + (names[0]?.length ?? 0));
  }

  function addFrom(event: ClipboardEvent | DragEvent, data: DataTransfer) {
    // Word processors copy text together with a picture of it. Paste the text.
    const isText = data.types.includes("text/plain") && data.types.includes("text/html");
    const files = isText ? [] : [...data.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users can use the button instead
    <div
      ref={container}
      onPaste={(event) => addFrom(event, event.clipboardData)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      }}
      onDrop={(event) => addFrom(event, event.dataTransfer)}
    >
      <MarkdownArea value={value} aria-describedby={helpId} {...rest} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <PictureButton label="Add Picture" isMultiple onChoose={add} />
        <p id={helpId} className="text-sm text-muted pointer-coarse:hidden">
          {`${COMMAND_KEY}+B bold, ${COMMAND_KEY}+I italic, ${COMMAND_KEY}+K link`}
        </p>
      </div>
      <UploadList uploads={uploads} problem={problem} />
    </div>
  );
}

/** Replaces text as if it were typed, so that React notices the change, but keeps the selection. */
function replaceText(field: HTMLTextAreaElement | null, start: number, end: number, text: string): void {
  field?.setRangeText(text, start, end, "preserve");
  field?.dispatchEvent(new Event("input", { bubbles: true }));
}
