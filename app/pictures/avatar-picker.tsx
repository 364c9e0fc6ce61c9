import { PictureButton } from "./picture-button.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

/** Uploads a portrait and passes its URL to the form. */
export function AvatarPicker({ onPicked }: { onPicked(address: string): void }) {
  const { uploads, problem, start } = useUploads("avatar", {
    onUploaded: (_id, address) => onPicked(address),
    onAborted: () => undefined,
  });
  return (
    <div>
      <PictureButton label="Choose Picture" onChoose={(files) => void start(files)} />
      <UploadList uploads={uploads} problem={problem} />
    </div>
  );
}
