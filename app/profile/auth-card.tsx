import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";

/** Takes a title and a form, returns the card that the forms about signing in share. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-md rounded-lg border border-line bg-surface p-6 sm:p-8">
      <h1 className="font-display text-3xl font-bold tracking-tight">{title}</h1>
      {children}
    </div>
  );
}

/** Takes whether the form is being sent and the button's name, returns its submit button (specification §2, Profile). */
export function ProcessingButton({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <Button type="submit" look="primary" disabled={isBusy} className="w-full">
      {isBusy ? "Processing..." : children}
    </Button>
  );
}

/** Takes what went wrong, or nothing, returns the message in red under a form (specification §8). */
export function FormError({ children }: { children: ReactNode }) {
  return children ? (
    <p role="alert" className="mt-4 text-sm font-medium text-danger">
      {children}
    </p>
  ) : null;
}
