import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { focusHeading, isFocusFree } from "../ui/focus.ts";

interface FormNoticeProps {
  children: ReactNode;
  actions: Record<string, () => void>;
}

/** `actions` maps each button's label to its action. */
export function FormNotice({ children, actions }: FormNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);

  // Move the focus first: the action removes the notice with its focused button, and maybe the form.
  function run(action: () => void) {
    focusHeading(notice.current?.closest("section")?.querySelector("h2"));
    flushSync(action);
    if (isFocusFree()) focusHeading();
  }

  return (
    <div
      ref={notice}
      role="status"
      className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-marker text-on-marker py-1.5 ps-4 pe-1.5 text-sm"
    >
      <p className="min-w-0 truncate">{children}</p>
      <div className="-ms-3 flex flex-wrap gap-x-1 sm:ms-0">
        {Object.entries(actions).map(([label, action]) => (
          <Button key={label} variant="plain" onClick={ignoreDoubleClick(() => run(action))}>
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
      You have an unsent draft{title && <span className="font-medium">{`: ${title}`}</span>}
    </FormNotice>
  );
}

export function DraftWarning() {
  return (
    <p role="alert" className="mt-2 bg-marker px-4 py-2.5 text-sm text-on-marker">
      This browser cannot store your draft. Save your work before you leave this page.
    </p>
  );
}
