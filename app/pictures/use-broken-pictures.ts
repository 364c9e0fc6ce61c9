import { useEffect } from "react";

/**
 * Marks pictures in members' content that fail to load, because CSS cannot select them. A broken picture without a frame
 * takes up one line with its alternative text. Its `width` and `height` are removed, because they would reserve space.
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
