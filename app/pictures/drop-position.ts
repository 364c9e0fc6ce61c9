/** Returns the position in a field's text at a point of the viewport. Undefined if the browser can't tell. */
export function dropPosition(
  field: HTMLTextAreaElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): number | undefined {
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  if (caret?.offsetNode === field) return caret.offset;
  // Safari before 26.2 has only this older function, which it deprecates.
  const range = caret ? null : document.caretRangeFromPoint?.(clientX, clientY);
  return range?.startContainer === field ? range.startOffset : undefined;
}
