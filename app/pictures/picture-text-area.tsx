import {
  type ClipboardEvent,
  type ComponentProps,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { pasteAsMarkdown, richTextOf } from "../paste/paste-markdown.ts";
import { MarkdownArea } from "../ui/editing-areas.tsx";
import { COMMAND_KEY, isPlainEnter, replaceRange, selectRange } from "../ui/text-editing.ts";
import { useListener } from "../ui/use-listener.ts";
import { DescribeLine } from "./describe-line.tsx";
import { pictureAround, picturesIn } from "./descriptions.ts";
import { dropPosition } from "./drop-position.ts";
import { FormatBar } from "./format-bar.tsx";
import { PictureButton } from "./picture-button.tsx";
import { findPlaceholders, insertPlaceholders } from "./placeholder.ts";
import { UploadList } from "./upload-list.tsx";
import type { FormUploads } from "./uploads.ts";
import { type ChosenPicture, useUploads } from "./use-uploads.ts";

interface PictureTextAreaProps extends ComponentProps<typeof MarkdownArea> {
  value: string;
  formUploads: FormUploads;
}

/** A Markdown field. Members add pictures to it with a button, by pasting or by dropping. */
export function PictureTextArea({ value, formUploads, ...rest }: PictureTextAreaProps) {
  const container = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const area = () => container.current?.querySelector("textarea") ?? null;
  /** Pictures that Undo removed during their upload. Redo uploads them again. */
  const abandoned = useRef(new Map<string, ChosenPicture>());
  /** The names of the added files, by the addresses of the pictures. */
  const [fileNames, setFileNames] = useState<ReadonlyMap<string, string>>(new Map());
  /** The addresses of the pictures that were added since all uploads had ended. */
  const added = useRef<string[]>([]);
  const { choose, start, cancel, keepOnly } = useUploads("text", formUploads, (picture, outcome) => {
    if (outcome === "abandoned") return void abandoned.current.set(picture.id, picture);
    const field = area();
    const placeholder = findPlaceholders(field?.value ?? "").find(({ id }) => id === picture.id);
    if (!field || !placeholder) return;
    if (typeof outcome === "object") {
      replaceRange(field, placeholder.addressStart, placeholder.addressEnd, outcome.address);
      setFileNames((names) => new Map(names).set(outcome.address, picture.name));
      added.current.push(outcome.address);
    } else replaceRange(field, placeholder.start, placeholder.end, "");
    if (findPlaceholders(field.value).length === 0) selectDescription(field, added.current.splice(0));
  });
  const { uploads } = formUploads;

  // The text decides which pictures are uploaded: the member may delete a placeholder, undo and redo it, or open another
  // item in the form.
  useEffect(() => {
    const ids = new Set(findPlaceholders(value).map(({ id }) => id));
    keepOnly((id) => ids.has(id));
    const again = [...abandoned.current.values()].filter(({ id }) => ids.has(id));
    for (const { id } of again) abandoned.current.delete(id);
    if (again.length > 0) start(again);
  });

  /** Makes Undo and Redo skip the states with a placeholder if its upload has ended since. */
  function skipEndedUploads({ nativeEvent }: FormEvent<HTMLDivElement>) {
    const { inputType } = nativeEvent as InputEvent;
    if (inputType !== "historyUndo" && inputType !== "historyRedo") return;
    const isPending = ({ id }: { id: string }) =>
      abandoned.current.has(id) || uploads.some((upload) => upload.id === id);
    if (findPlaceholders(area()?.value ?? "").every(isPending)) return;
    // The browser ignores the command while it handles the event of the previous one.
    setTimeout(() => document.execCommand(inputType === "historyUndo" ? "undo" : "redo"));
  }

  /** @param position where to insert the pictures. By default, they replace the selection, as typed text does. */
  function add(files: File[], position?: number) {
    const field = area();
    if (files.length === 0 || !field || field.matches(":disabled")) return;
    field.focus();
    if (position !== undefined) field.setSelectionRange(position, position);
    const selection = { start: field.selectionStart, end: field.selectionEnd };
    const pictures = choose(files);
    const { text, start: from, end, cursor } = insertPlaceholders(field.value, selection, pictures);
    replaceRange(field, from, end, text);
    field.setSelectionRange(cursor, cursor);
    start(pictures);
  }

  function addFrom(event: ClipboardEvent | DragEvent, data: DataTransfer, position?: number) {
    // Word processors copy text together with a picture of it. Paste the text.
    const isText = data.types.includes("text/plain") && data.types.includes("text/html");
    const files = isText ? [] : [...data.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files, position);
  }

  /** The number of pictures that the pasted text lacks. */
  const [missingPictures, setMissingPictures] = useState(0);
  function paste(event: ClipboardEvent) {
    const field = area();
    if (event.defaultPrevented || event.target !== field) return;
    addFrom(event, event.clipboardData);
    const richText = event.defaultPrevented ? null : richTextOf(event.clipboardData, field);
    setMissingPictures(0);
    if (!richText) return;
    event.preventDefault();
    void pasteAsMarkdown(field, richText).then(setMissingPictures);
  }

  function describe({ start, end }: { start: number; end: number }) {
    const field = area();
    if (field) selectRange(field, start, end);
  }

  const choosePicture = () => container.current?.querySelector<HTMLInputElement>("input[type=file]")?.click();

  const [isDropTarget, setIsDropTarget] = useState(false);
  useFileDrops(setIsDropTarget, area);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users can use the button instead
    <div
      ref={container}
      data-drop-target={isDropTarget || undefined}
      className="data-drop-target:[&_textarea]:outline-3 data-drop-target:[&_textarea]:outline-dashed data-drop-target:[&_textarea]:outline-ink"
      onInput={skipEndedUploads}
      onKeyDownCapture={leaveDescription}
      onPaste={paste}
      onDrop={(event) => {
        const field = area();
        if (event.target === field) addFrom(event, event.dataTransfer, dropPosition(field, event));
      }}
    >
      <MarkdownArea value={value} aria-describedby={helpId} {...rest} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <PictureButton label="Add Picture" isMultiple onChoose={add} />
        <p id={helpId} className="text-sm text-muted pointer-coarse:hidden">
          {`${COMMAND_KEY}+B bold, ${COMMAND_KEY}+I italic, ${COMMAND_KEY}+K link`}
        </p>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {missingPictures > 0 &&
          `The pasted text lacks ${missingPictures === 1 ? "a picture" : `${missingPictures} pictures`} of its document. Use Add Picture.`}
      </p>
      <DescribeLine text={value} fileNames={fileNames} onDescribe={describe} />
      <UploadList {...formUploads} onCancel={cancel} />
      <FormatBar container={container} onPicture={choosePicture} />
    </div>
  );
}

/**
 * Selects the file's name in the brackets of the first new picture, so that the member types a description over it. The
 * cursor must still be where the upload left it: after the last new picture.
 */
function selectDescription(field: HTMLTextAreaElement, addresses: string[]): void {
  const pictures = picturesIn(field.value).filter(({ address }) => addresses.includes(address));
  const [first, last] = [pictures[0], pictures.at(-1)];
  if (!first || !last || document.activeElement !== field) return;
  const { selectionStart, selectionEnd, value } = field;
  const isUntouched =
    selectionStart === selectionEnd &&
    selectionStart >= last.end &&
    /^\n*$/.test(value.slice(last.end, selectionEnd));
  if (isUntouched) field.setSelectionRange(first.altStart, first.altEnd);
}

/** Enter in a picture's brackets moves on to the line after the picture. A line break there would be of no use. */
function leaveDescription(event: KeyboardEvent<HTMLDivElement>): void {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || !isPlainEnter(event)) return;
  const picture = pictureAround(field.value, field.selectionStart, field.selectionEnd);
  if (!picture) return;
  event.preventDefault();
  event.stopPropagation();
  if (field.value[picture.end] !== "\n") replaceRange(field, picture.end, picture.end, "\n");
  field.setSelectionRange(picture.end + 1, picture.end + 1);
}

const hasFiles = ({ dataTransfer }: globalThis.DragEvent) => dataTransfer?.types.includes("Files") === true;

/**
 * Accepts files that are dragged over the field. Elsewhere on the page, rejects them: the browser would open a dropped
 * file instead of the page.
 */
function useFileDrops(onOver: (isOver: boolean) => void, area: () => HTMLTextAreaElement | null): void {
  useListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const field = area();
    const isOver = field !== null && event.target === field && !field.matches(":disabled");
    if (event.dataTransfer) event.dataTransfer.dropEffect = isOver ? "copy" : "none";
    onOver(isOver);
  });
  useListener("dragleave", (event) => {
    if (event.relatedTarget === null) onOver(false);
  });
  useListener("drop", (event) => {
    if (hasFiles(event)) event.preventDefault();
    onOver(false);
  });
}
