import { useEffect, useState } from "react";
import { ScrollRestoration, useNavigation } from "react-router";
import { FailedPageLoad } from "../router/failed-page-load.tsx";
import { useFocusAfterNavigation } from "../router/focus-after-navigation.ts";
import { useCurrentIndex } from "../router/history-index.ts";
import { PreloadPages } from "../router/preload-pages.tsx";
import { SCROLL_POSITIONS_KEY } from "../router/scroll-position.ts";
import { SlowProgress } from "../ui/slow-progress.tsx";
import { usePlainLinks } from "./plain-links.ts";
import { useSearchKey } from "./search-key.ts";
import { StartHelp } from "./start-help.tsx";
import { useFonts } from "./use-fonts.ts";

/** This is a separate component, so that a pending navigation does not re-render the rest of the document. */
export function Navigation() {
  // Call it before `useFocusAfterNavigation`, which keeps a focus that is already in the new page.
  useSearchKey();
  useFocusAfterNavigation();
  usePlainLinks();
  useCurrentIndex();
  useFonts();
  const isPending = useNavigation().state !== "idle";
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return (
    <>
      {isHydrated ? <PreloadPages /> : <StartHelp />}
      <FailedPageLoad />
      <SlowProgress isPending={isPending} />
      <ScrollRestoration storageKey={SCROLL_POSITIONS_KEY} />
    </>
  );
}
