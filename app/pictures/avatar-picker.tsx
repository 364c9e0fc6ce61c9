import { PictureButton } from "./picture-button.tsx";
import { UploadList } from "./upload-list.tsx";
import type { FormUploads } from "./uploads.ts";
import { useUploads } from "./use-uploads.ts";

/** Uploads a portrait and passes its URL to the form. A picture that is chosen later replaces an earlier one. */
export function AvatarPicker({ form, onPicked }: { form: FormUploads; onPicked(address: string): void }) {
  const { choose, start, cancel, keepOnly } = useUploads("avatar", form, (_picture, outcome) => {
    if (typeof outcome === "object") onPicked(outcome.address);
  });

  function replace(files: File[]) {
    if (files.length === 0) return;
    keepOnly(() => false);
    start(choose(files));
  }

  return (
    <div>
      <PictureButton label="Choose Picture" onChoose={replace} />
      <UploadList {...form} onCancel={cancel} />
    </div>
  );
}
