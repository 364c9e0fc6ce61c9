import { useNavigate } from "react-router";
import { useListener } from "../ui/use-listener.ts";

/** Makes plain `<a>` elements, such as those in HTML from the server, navigate without loading a new document. */
export function usePlainLinks(): void {
  const navigate = useNavigate();
  useListener("click", (event) => {
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    // `<Link>` has already called `preventDefault` for its own clicks.
    if (event.defaultPrevented || event.button !== 0 || isModified) return;
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
    if (!link || link.target || link.hasAttribute("download") || !link.href.startsWith(`${location.origin}/`))
      return;
    event.preventDefault();
    void navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
  });
}
