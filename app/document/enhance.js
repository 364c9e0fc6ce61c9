// What only the reader's browser knows about a document.

// The server wrote UTC; this is the reader's own day. toLocaleDateString would load the browser's languages first.
for (const time of document.querySelectorAll("time")) {
  const [, month, day, year] = new Date(time.dateTime).toDateString().split(" ");
  const date = `${month} ${Number(day)}, ${Number(year)}`;
  // The same text set again would be laid out again, before the first paint.
  if (time.textContent !== date) time.textContent = date;
}

// A portrait that cannot be had leaves the initials behind it to be seen.
const hidePortrait = ({ target }) => {
  if (target.tagName === "IMG" && !target.alt) target.hidden = true;
};
addEventListener("error", hidePortrait, true);
