import { Component, type ReactNode, Suspense } from "react";
import { Button } from "./button.tsx";

interface LoadBoundaryProps {
  /** Shown while the code is loading. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Surrounds a lazily loaded part of a page. If its code can't be loaded, the rest of the page still works. */
export class LoadBoundary extends Component<LoadBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    const { fallback, children } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={fallback}>{children}</Suspense>;
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>This part of the page could not be loaded.</p>
        <Button onClick={() => location.reload()}>Try Again</Button>
      </div>
    );
  }
}
