import type { ReactNode } from "react";
import { Button, onFirstClick } from "../ui/button.tsx";

/** `actions`: what each button's label does. */
export function FormNotice({
  children,
  actions,
}: {
  children: ReactNode;
  actions: Record<string, () => void>;
}) {
  return (
    <div
      role="status"
      className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-marker text-on-marker py-1.5 ps-4 pe-1.5 text-sm"
    >
      <p className="min-w-0 truncate">{children}</p>
      <div className="flex gap-1">
        {Object.entries(actions).map(([label, act]) => (
          <Button key={label} look="plain" onClick={onFirstClick(act)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

interface DraftNoticeProps {
  title: string;
  onRestore(): void;
  onDiscard(): void;
}

export function DraftNotice({ title, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <FormNotice actions={{ Restore: onRestore, Discard: onDiscard }}>
      You have an unsent draft{title && <span className="font-medium">: {title}</span>}
    </FormNotice>
  );
}
