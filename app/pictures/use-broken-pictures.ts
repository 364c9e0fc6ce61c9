import { useEffect } from "react";

/**
 * Marks pictures in members' content that fail to load, because CSS has no selector for them. Removes their `width` and
 * `height`, which would reserve space, so that only the alternative text remains (except in an `.image-frame`, which
 * keeps its size).
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
