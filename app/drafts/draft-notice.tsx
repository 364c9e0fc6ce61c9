import { Button } from "../ui/button.tsx";

export function DraftNotice({
  title,
  onRestore,
  onDiscard,
}: {
  title: string;
  onRestore(): void;
  onDiscard(): void;
}) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-marker text-on-marker py-1.5 ps-4 pe-1.5 text-sm"
    >
      <p className="min-w-0 truncate">
        You have an unsent draft{title && <span className="font-medium">: {title}</span>}
      </p>
      <div className="flex gap-1">
        <Button look="plain" onClick={onRestore}>
          Restore
        </Button>
        <Button look="plain" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  );
}
