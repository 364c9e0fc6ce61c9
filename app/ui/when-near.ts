/** How near to the screen (CSS pixels). */
const NEAR = "1200px";

/** A ref: calls when its element comes near the screen. */
export const whenNear = (onNear: () => void) => (element: Element | null) => {
  if (!element) return undefined;
  const observer = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNear(),
    { rootMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
};
