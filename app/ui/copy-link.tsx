import { useState } from "react";
import { IconButton } from "./button.tsx";
import { COPIED_MS, copy } from "./copy.ts";
import { CopyIcon, TickIcon } from "./icons.tsx";
import { useHydrated } from "./use-hydrated.ts";

export function CopyLink({ title, path }: { title: string; path: string }) {
  const isHydrated = useHydrated();
  const [isCopied, setIsCopied] = useState(false);
  // Keeps the button's space.
  if (!isHydrated) return <span className="size-11" />;

  async function copyAddress() {
    if (!(await copy(new URL(path, location.href).href, "Link copied"))) return;
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), COPIED_MS);
  }

  return (
    <IconButton label={`Copy link to ${title}`} onClick={copyAddress}>
      {isCopied ? <TickIcon /> : <CopyIcon />}
    </IconButton>
  );
}
