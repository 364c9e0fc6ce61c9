import { useState } from "react";
import { safeAddress } from "../../common/safe-address.ts";
import { initials } from "./initials.ts";

interface AvatarProps {
  name: string;
  address: string | null;
  isLarge?: boolean;
}

export function Avatar({ name, address, isLarge = false }: AvatarProps) {
  const source = safeAddress(address);
  return (
    <span
      aria-hidden="true"
      className={`relative grid shrink-0 place-items-center overflow-hidden bg-marker font-display font-bold tracking-tight text-on-marker print:print-exact ${isLarge ? "size-32 text-4xl" : "size-14 text-xl"}`}
    >
      <span>{initials(name)}</span>
      {source && <Portrait key={source} source={source} size={isLarge ? 128 : 56} />}
    </span>
  );
}

/** Covers the initials with the picture, unless it fails to load. `ref` notices failures before hydration. */
function Portrait({ source, size }: { source: string; size: number }) {
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
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className="absolute inset-0 size-full object-cover"
    />
  );
}
