import type { ReactNode, Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { FormText } from "../../ui/form-text.tsx";

interface EditorFrameProps {
  ref?: Ref<HTMLElement>;
  heading: string;
  submit: string;
  notice?: ReactNode;
  cancel?: ReactNode;
  children: ReactNode;
}

export function EditorFrame({ ref, heading, submit, notice, cancel, children }: EditorFrameProps) {
  return (
    <section ref={ref} className="scroll-mt-6 border-t-2 border-ink pt-3">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="font-display text-2xl font-bold tracking-tight outline-none">
          <FormText>{heading}</FormText>
        </h2>
        {notice}
      </div>
      <div className="mt-3 min-w-0 space-y-4">
        {children}
        <div className="flex gap-3">
          <Button type="submit" look="primary">
            <FormText>{submit}</FormText>
          </Button>
          {cancel}
        </div>
      </div>
    </section>
  );
}
