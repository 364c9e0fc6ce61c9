import { Button } from "../ui/button.tsx";

interface UnreadableProps {
  text: string;
  isReading: boolean;
  /** Whether screen readers interrupt what they are reading. */
  isUrgent?: boolean;
  onRetry(): void;
}

/** Replaces a list that could not be read. The button keeps the focus while it reads the list again. */
export function Unreadable({ text, isReading, isUrgent = true, onRetry }: UnreadableProps) {
  return (
    <div role={isUrgent ? "alert" : undefined} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>{text}</p>
      <Button aria-disabled={isReading} onClick={onRetry}>
        Try Again
      </Button>
    </div>
  );
}
