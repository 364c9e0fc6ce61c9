import { useEffect } from "react";

/**
 * Marks pictures in members' content that fail to load, because CSS cannot select them. They take up one line with their
 * alternative text, unless they have a frame. Their `width` and `height` are removed, which would reserve more space.
 */
export function useBrokenPictures(): void {
  useEffect(() => {
    const onError = ({ target }: Event) => {
      if (target instanceof HTMLImageElement && target.closest(".prose")) markBroken(target);
    };
    // Use the capture phase, because the `error` events of pictures don't bubble.
    document.addEventListener("error", onError, true);
    for (const image of document.querySelectorAll<HTMLImageElement>(".prose img")) {
      if (image.complete && image.naturalWidth === 0) markBroken(image);
    }
    return () => document.removeEventListener("error", onError, true);
  }, []);
}

function markBroken(image: HTMLImageElement): void {
  image.dataset["broken"] = "";
  image.removeAttribute("width");
  image.removeAttribute("height");
}
