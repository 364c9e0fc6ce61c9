import { useNavigate } from "react-router";
import { useListener } from "../ui/use-listener.ts";

/** Makes links to this site's pages in members' Markdown, which are plain `<a>` elements, navigate like `<Link>`. */
export function usePlainLinks(): void {
  const navigate = useNavigate();
  useListener("click", (event) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // `<Link>` has already called `preventDefault` for its own clicks.
    if (event.defaultPrevented || event.button !== 0 || isModified) return;
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(".prose a[href]");
    if (!link || link.target || link.hasAttribute("download") || !link.href.startsWith(`${location.origin}/`))
      return;
    // Let the browser load files such as `/articles/{id}.md`: the item's route matches their paths, and would show a 404 page.
    if (/\.\w+$/.test(link.pathname)) return;
    event.preventDefault();
    void navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}
