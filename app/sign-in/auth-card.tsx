import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";

export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-10 lg:grid-cols-margin">
      <div className="max-w-card lg:col-start-2">
        <h1 className="font-display text-4xl font-bold tracking-tight text-balance">{title}</h1>
        {children}
      </div>
    </div>
  );
}

export function NoScript() {
  return (
    <noscript>
      <p className="text-sm font-medium">
        Signing in needs JavaScript. Please turn it on and reload this page.
      </p>
    </noscript>
  );
}

interface ProcessingButtonProps {
  isBusy: boolean;
  /** False while the form can't be submitted yet, which disables the button. */
  isReady?: boolean;
  children: ReactNode;
}

/** A submit button that says Processing... while the form is being submitted (specification §2, Profile). */
export function ProcessingButton({ isBusy, isReady = true, children }: ProcessingButtonProps) {
  return (
    <Button type="submit" variant="primary" disabled={isBusy || !isReady} className="w-full">
      {isBusy ? "Processing..." : children}
    </Button>
  );
}

/** Shows the service's error message in red below the form (specification §8). */
export function FormError({ id, children }: { id?: string; children: ReactNode }) {
  return children ? (
    <p id={id} role="alert" className="mt-4 text-sm font-medium text-danger">
      {children}
    </p>
  ) : null;
}
