import { useState } from "react";
import { safeAddress } from "./address.ts";

function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? "")
    .join("")
    .toUpperCase();
}

export function Avatar({ name, address }: { name: string; address: string | null }) {
  const source = safeAddress(address);
  return (
    <span
      aria-hidden="true"
      className="relative grid size-14 shrink-0 place-items-center overflow-hidden bg-marker font-display text-xl tracking-tight font-bold text-on-marker"
    >
      {initials(name)}
      {source && <Portrait key={source} source={source} />}
    </span>
  );
}

/** Leaves the initials visible if the picture cannot be loaded, also if that was before hydration. */
function Portrait({ source }: { source: string }) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return null;
  return (
    <img
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setIsBroken(true);
      }}
      onError={() => setIsBroken(true)}
      src={source}
      alt=""
      width="56"
      height="56"
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="absolute inset-0 size-full object-cover"
    />
  );
}
