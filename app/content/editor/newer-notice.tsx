import { Button } from "../../ui/button.tsx";

export function NewerNotice({
  isDeleted,
  onTake,
  onKeep,
}: {
  isDeleted: boolean;
  onTake(): void;
  onKeep(): void;
}) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-marker text-on-marker py-1.5 ps-4 pe-1.5 text-sm"
    >
      <p>{isDeleted ? "This was deleted elsewhere" : "There is a newer version of this"}</p>
      <div className="flex gap-1">
        <Button look="plain" onClick={onTake}>
          {isDeleted ? "Discard Mine" : "Show Newer Version"}
        </Button>
        <Button look="plain" onClick={onKeep}>
          {isDeleted ? "Save as New" : "Save Mine"}
        </Button>
      </div>
    </div>
  );
}
