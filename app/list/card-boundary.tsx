import { Component, type ReactNode } from "react";

/** Surrounds a card, so that an error in one card doesn't replace the page. */
export class CardBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <p className="border-b border-rule py-8 text-muted">This part of the page could not be shown.</p>;
  }
}
