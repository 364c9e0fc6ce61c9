import { Component, type ReactNode, Suspense } from "react";
import { TryAgain } from "./try-again.tsx";

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
    return <TryAgain text="This part of the page could not be loaded." onRetry={() => location.reload()} />;
  }
}
