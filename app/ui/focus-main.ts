/** Gives the focus to the page's content, when what had it is gone and nothing takes its place. */
export function focusMain(): void {
  document.getElementById("main")?.focus({ preventScroll: true });
}
