// Runs at the end of every document, before any other script; a reader who never interacts downloads no more.
// 1. Dates: the server wrote UTC, the viewer's own day is put in before the first paint.
for (const time of document.querySelectorAll("time"))
  time.textContent = new Date(time.dateTime).toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    year: "numeric",
  });

// 2. The application starts at the first sign of intent, or at once when somebody is or gets signed in.
const root = document.documentElement;
const signs = ["pointerdown", "keydown", "focusin", "input"];
const start = () => {
  for (const sign of signs) removeEventListener(sign, start, true);
  for (const link of document.querySelectorAll('link[rel="later"]')) link.rel = "modulepreload";
  for (const held of document.querySelectorAll('script[type="later"]')) {
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = held.textContent;
    document.head.append(script);
    script.remove();
  }
};
for (const sign of signs) addEventListener(sign, start, true);
let stored = null;
try {
  stored = localStorage.getItem("techfolio.session");
} catch {}
if (
  stored ||
  location.pathname === "/profile" ||
  /[?&#](code|token_hash|access_token|error_code)=/.test(location.href)
)
  start();

// 3. A form that is sent before the application stands is sent again once it does.
addEventListener(
  "submit",
  (event) => {
    if (root.dataset.ready) return;
    event.preventDefault();
    addEventListener("ready", () => event.target.requestSubmit(), { once: true });
  },
  true,
);
