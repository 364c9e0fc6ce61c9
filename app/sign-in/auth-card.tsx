import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";

/** Frames the forms about signing in. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-md border-t-2 border-ink pt-6">
      <h1 className="font-display text-2xl font-bold tracking-tight">{title}</h1>
      {children}
    </div>
  );
}

/** Specification §2, Profile: labelled Processing... while submitting. */
export function ProcessingButton({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <Button type="submit" look="primary" disabled={isBusy} className="w-full">
      {isBusy ? "Processing..." : children}
    </Button>
  );
}

/** The service's message in red under the form (specification §8). */
export function FormError({ children }: { children: ReactNode }) {
  return children ? (
    <p role="alert" className="mt-4 text-sm font-medium text-danger">
      {children}
    </p>
  ) : null;
}
