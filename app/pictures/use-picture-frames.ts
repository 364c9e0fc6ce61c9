import { useEffect } from "react";

/**
 * Handles the pictures in members' content once they have loaded or failed. A picture from another site has a frame of
 * fixed size until then, and takes its own shape afterwards. One that fails shows only its alternative text: it is marked
 * (CSS has no selector for broken pictures), and loses its `width` and `height`, which would reserve space.
 */
export function usePictureFrames(): void {
  useEffect(() => {
    const leaving = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) continue;
        leaving.unobserve(target);
        removeFrame(target);
      }
    });
    function settle(image: HTMLImageElement) {
      if (image.naturalWidth === 0) markBroken(image);
      const frame = image.closest(".image-frame:not([data-loaded])");
      if (!frame) return;
      // At the top of a page, the reader has hardly begun to read. Further down, a visible frame keeps its size until it
      // has left the screen, because the text below it would move.
      if (scrollY === 0 || !isOnScreen(frame)) removeFrame(frame);
      else leaving.observe(frame);
    }
    const onSettled = ({ target }: Event) => {
      if (target instanceof HTMLImageElement && target.closest(".prose")) settle(target);
    };
    // Use the capture phase, because the `load` and `error` events of pictures don't bubble.
    document.addEventListener("load", onSettled, true);
    document.addEventListener("error", onSettled, true);
    for (const image of document.querySelectorAll<HTMLImageElement>(".prose img[src]"))
      if (image.complete) settle(image);
    return () => {
      leaving.disconnect();
      document.removeEventListener("load", onSettled, true);
      document.removeEventListener("error", onSettled, true);
    };
  }, []);
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Above the screen, a frame's new height must not move the text that is on it. Safari has no scroll anchoring for this. */
function removeFrame(frame: Element): void {
  const { bottom, height } = frame.getBoundingClientRect();
  frame.setAttribute("data-loaded", "");
  if (bottom <= 0 && !CSS.supports("overflow-anchor", "auto"))
    scrollBy({ top: frame.getBoundingClientRect().height - height, behavior: "instant" });
}

function markBroken(image: HTMLImageElement): void {
  image.dataset["broken"] = "";
  image.removeAttribute("width");
  image.removeAttribute("height");
  image.closest(".picture-link")?.removeAttribute("href");
}
