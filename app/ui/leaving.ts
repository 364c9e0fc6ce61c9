/** Takes what would leave the page, does it now, later or never. */
type Objection = (leave: () => void) => void;

let objection: Objection | undefined;

/** Takes what leaves the page, does it at once, or when the member has agreed to lose what he has not saved. */
export function leavePage(leave: () => void): void {
  if (objection) objection(leave);
  else leave();
}

/** Takes an objection to leaving, returns how to withdraw it. There is one at a time: that of the page's form. */
export function objectToLeaving(next: Objection): () => void {
  objection = next;
  return () => {
    if (objection === next) objection = undefined;
  };
}
