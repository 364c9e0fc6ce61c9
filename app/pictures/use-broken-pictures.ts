import { useEffect } from "react";

/**
 * Marks pictures in members' texts that cannot be loaded, so that they take up one line with their alternative text.
 * Those from other sites keep their frame, so that the text does not shift.
 * Browsers keep the space of a picture with `width` and `height`, and CSS cannot select broken ones.
 */
export function useBrokenPictures(): void {
  useEffect(() => {
    const onError = ({ target }: Event) => {
      if (target instanceof HTMLImageElement && target.closest(".prose")) markBroken(target);
    };
    // `error` events of pictures don't bubble.
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
