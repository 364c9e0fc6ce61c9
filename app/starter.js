// Stands at the end of every document, before any other script; a reader who never interacts downloads no more.
const { dataset } = document.documentElement;

// Dates: the server wrote UTC, the viewer's own day is put in before the first paint. Not by toLocaleDateString, for
// which a browser first makes ready all that it knows of languages.
const localise = (part) => {
  for (const time of part.querySelectorAll("time")) {
    const [, month, day, year] = new Date(time.dateTime).toDateString().split(" ");
    time.textContent = `${month} ${Number(day)}, ${Number(year)}`;
  }
};
localise(document);

// A portrait that cannot be had leaves the initials behind it to be seen.
addEventListener(
  "error",
  ({ target }) => {
    if (target.tagName === "IMG" && !target.alt) target.hidden = true;
  },
  true,
);

// The application starts at the first sign of intent, or at once when somebody is or gets signed in (`storage`: in
// another tab), or when the address names an item that is not in the document.
const signs = ["pointerdown", "keydown", "focusin", "input", "storage"];
const list = document.querySelector("[data-answer]");
let isStarted;
let waiting;
const start = () => {
  if (isStarted) return;
  isStarted = true;
  for (const link of document.querySelectorAll('link[rel="later"]')) link.rel = "modulepreload";
  for (const held of document.querySelectorAll('script[type="later"]')) {
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = held.textContent;
    document.head.append(script);
    script.remove();
  }
};
// On a slow line the application would stand in the way of the answer to what is typed into the search: it comes after
// that, or when nothing is typed.
const startIn = (ms) => {
  clearTimeout(waiting);
  waiting = setTimeout(start, ms);
};
const sense = ({ target }) => {
  if (!list || !target.closest?.("search")) start();
  else if (!waiting) startIn(500);
};
for (const sign of signs) addEventListener(sign, sense, true);
let isMember;
try {
  isMember = localStorage.getItem("techfolio.session");
} catch {}
if (
  isMember ||
  location.pathname === "/profile" ||
  (location.hash && !document.getElementById(location.hash.slice(1))) ||
  /[?&#](code|token_hash|access_token|error_code)=/.test(location.href)
)
  start();

// The end of a list that goes on behind the document is a sign of intent too.
const end = document.querySelector("[data-end]");
end &&
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (isIntersecting) {
      observer.disconnect();
      start();
    }
  }).observe(end);

// A search that is typed before the application has arrived is answered as without it: by address. The document turns
// into that of the address, list and data, so that this is what the application begins with.
let searches = 0;
list &&
  addEventListener(
    "input",
    async ({ target: { form } }) => {
      if (dataset.begun) return;
      startIn(2000);
      const search = ++searches;
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form))
        if (value && `${name}=${value}` !== "sort=desc") query.set(name, value);
      const address = `${location.pathname}${query.size ? "?" : ""}${query}`;
      try {
        const answer = await fetch(address);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (dataset.begun || search !== searches) return;
        list.innerHTML = page.querySelector("[data-answer]").innerHTML;
        localise(list);
        const data = Array.from(
          page.scripts,
          ({ textContent }) => textContent.match(/enqueue\((".*")\)/)?.[1] ?? '""',
        );
        window.__reactRouterContext.stream = new Blob(data.map(JSON.parse)).stream();
        history.replaceState(history.state, "", address + location.hash);
      } catch {
        // Without an answer the list stays as it is, and the application asks again.
      } finally {
        search === searches && start();
      }
    },
    true,
  );

// A form that is sent before the application stands is sent again once it does.
addEventListener(
  "submit",
  (event) => {
    if (dataset.ready) return;
    event.preventDefault();
    addEventListener("ready", () => event.target.requestSubmit(), { once: true });
  },
  true,
);
