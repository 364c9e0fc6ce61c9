import { useEffect, useState } from "react";
import { Avatar } from "../ui/avatar.tsx";

/** Typing an address must not load every beginning of it. */
const DEBOUNCE_MS = 500;

/** Shows the portrait as visitors see it, or the initials. */
export function PortraitPreview({ name, address }: { name: string; address: string }) {
  const [settled, setSettled] = useState(address);
  useEffect(() => {
    const timer = setTimeout(setSettled, DEBOUNCE_MS, address);
    return () => clearTimeout(timer);
  }, [address]);
  return <Avatar name={name} address={settled} isLarge />;
}
