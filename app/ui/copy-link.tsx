/** Stands behind the link that it copies; `answerCopyButtons` answers it. */
export function CopyLink({ title }: { title: string }) {
  const label = `Copy link to ${title}`;
  return <button type="button" className="copy-link" aria-label={label} title={label} />;
}
