import { Button } from "./button.tsx";

interface TryAgainProps {
  text: string;
  isReading?: boolean;
  /** Whether screen readers interrupt what they are reading. */
  isUrgent?: boolean;
  onRetry(): void;
}

/** Replaces what could not be read. The button keeps the focus while it reads again. */
export function TryAgain({ text, isReading = false, isUrgent = true, onRetry }: TryAgainProps) {
  return (
    <div role={isUrgent ? "alert" : undefined} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>{text}</p>
      <Button aria-disabled={isReading} onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
