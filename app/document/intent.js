// Stands at the end of every document: a reader who never interacts downloads no more.
const { dataset } = document.documentElement;
const all = (selector) => document.querySelectorAll(selector);

const waiting = [];
const isSearch = (form) => form.closest("search");
// Without the application, links and searches work as without scripts.
const giveUp = () => {
  if (dataset.failed || dataset.ready) return;
  dataset.failed = "true";
  for (const part of all("noscript")) part.outerHTML = part.textContent;
  waiting.find(isSearch)?.submit();
};
const append = (name, properties) => {
  const element = Object.assign(document.createElement(name), properties);
  document.head.append(element);
  return element;
};
const run = () => {
  for (const { dataset, textContent } of all("script[data-type]")) {
    append("script", { type: dataset.type, textContent, onerror: giveUp }).remove();
  }
};
const start = () => {
  // React Router's last scripts stand behind this one.
  if (document.readyState === "loading") return addEventListener("DOMContentLoaded", start);
  const [sheet] = all("link[disabled]");
  if (!sheet) return;
  addEventListener("unhandledrejection", giveUp);
  // The document has only the styles that it needs itself.
  Object.assign(sheet, { disabled: false, onload: run, onerror: giveUp });
  for (const href of sheet.dataset.modules.split(" ")) append("link", { rel: "modulepreload", href });
};

// The first sign of intent starts it, or a session (`storage`: in another tab), or an address of more than the document.
for (const sign of ["pointerdown", "keydown", "focusin", "input", "storage", "hashchange"])
  addEventListener(sign, start, true);
const { pathname, search, hash, href } = location;
const isElsewhere = hash && !document.getElementById(hash.slice(1));
const isFromMail = /[?&#](code|token_hash|access_token|error_code)=/.test(href);
// Sessions, new passwords and dead links show there alone; a hosted project may lead elsewhere.
if (isFromMail && pathname !== "/profile") location.replace(`/profile${search}${hash}`);
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
