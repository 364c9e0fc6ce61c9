import { Button } from "../ui/button.tsx";
import type { Upload } from "./use-uploads.ts";

/** Shows the running uploads, each with a progress bar and a Cancel button, and the last problem. */
export function UploadList({ uploads, problem }: { uploads: Upload[]; problem: string }) {
  return (
    <>
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="mt-1">
          {uploads.map(({ id, name, progress, cancel }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3">
              <span className="max-w-48 truncate text-sm">{name}</span>
              <progress
                aria-label={`Uploading ${name}`}
                className="h-2 min-w-24 flex-1 accent-ink"
                {...(progress !== null && { value: progress })}
              />
              <Button variant="plain" aria-label={`Cancel ${name}`} onClick={cancel}>
                Cancel
              </Button>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
