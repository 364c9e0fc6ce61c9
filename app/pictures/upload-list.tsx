import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/button.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";
import type { FormUploads } from "./uploads.ts";

interface UploadListProps extends Pick<FormUploads, "uploads" | "uploadProblem"> {
  onCancel(id: string): void;
}

/** Shows a form's running uploads, each with a progress bar and a Cancel button, and the last problem. */
export function UploadList({ uploads, uploadProblem, onCancel }: UploadListProps) {
  function cancel(id: string, name: string) {
    onCancel(id);
    announce(`Cancelled ${name}`);
  }
  return (
    <>
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="mt-1">
          {uploads.map(({ id, name, progress }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3">
              <span className="max-w-48 truncate text-sm">{name}</span>
              <ProgressBar
                aria-label={`Uploading ${name}`}
                className="h-2 min-w-24 flex-1"
                {...(progress !== null && { value: progress })}
              />
              <Button variant="plain" aria-label={`Cancel ${name}`} onClick={() => cancel(id, name)}>
                Cancel
              </Button>
            </li>
          ))}
        </ul>
      )}
      {uploadProblem && (
        <p role="alert" className="text-sm text-danger">
          {uploadProblem}
        </p>
      )}
    </>
  );
}
