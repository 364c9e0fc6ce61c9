// Stands at the end of every document, before any other script: a reader who never interacts downloads no more.
const { dataset } = document.documentElement;
const all = (selector) => document.querySelectorAll(selector);

// The server wrote UTC; this is the reader's own day. toLocaleDateString would load the browser's languages first.
for (const time of all("time")) {
  const [, month, day, year] = new Date(time.dateTime).toDateString().split(" ");
  time.textContent = `${month} ${Number(day)}, ${Number(year)}`;
}

// A portrait that cannot be had leaves the initials behind it to be seen.
const hidePortrait = ({ target }) => {
  if (target.tagName === "IMG" && !target.alt) target.hidden = true;
};
addEventListener("error", hidePortrait, true);

const waiting = [];
const isSearch = (form) => form.closest("search");
// Without the application, links and searches work as without scripts.
const giveUp = () => {
  if (dataset.failed || dataset.ready) return;
  dataset.failed = "true";
  for (const part of all("noscript")) part.outerHTML = part.textContent;
  waiting.find(isSearch)?.submit();
};
const start = () => {
  const held = document.querySelector("script[data-modules]");
  if (!held) return;
  for (const href of held.dataset.modules.split(" "))
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  held.removeAttribute("data-modules");
  const script = Object.assign(document.createElement("script"), {
    type: "module",
    textContent: held.textContent,
  });
  script.onerror = giveUp;
  addEventListener("unhandledrejection", giveUp);
  document.head.append(script);
  script.remove();
};

// The first sign of intent starts it, or a session (`storage`: in another tab), or an address of more than the document.
for (const sign of ["pointerdown", "keydown", "focusin", "input", "storage", "hashchange"])
  addEventListener(sign, start, true);
const { pathname, hash, href } = location;
const isElsewhere = hash && !document.getElementById(hash.slice(1));
const isFromMail = /[?&#](code|token_hash|access_token|error_code)=/.test(href);
if ("session" in dataset || pathname === "/profile" || isElsewhere || isFromMail) start();
const listEnd = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && start());
for (const end of all("[data-end]")) listEnd.observe(end);

// A form that is sent, or a button that is clicked, before the application stands is so again once it does.
addEventListener("submit", (event) => {
  if (dataset.ready || (dataset.failed && isSearch(event.target))) return;
  event.preventDefault();
  waiting.push(event.target);
});
let clicked;
addEventListener("click", ({ target }) => {
  if (!dataset.ready) clicked = target.closest(".copy-link, .copy-code");
});
addEventListener("ready", () => {
  for (const form of waiting) form.requestSubmit();
  clicked?.click();
});
