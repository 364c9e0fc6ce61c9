import { useRef } from "react";
import { PICTURE_TYPES } from "../../common/pictures/picture-path.ts";
import { Button } from "../ui/button.tsx";

const ACCEPTED = Object.values(PICTURE_TYPES).join(",");

interface PictureButtonProps {
  label: string;
  isMultiple?: boolean;
  onChoose(files: File[]): void;
}

/** A button that opens the browser's dialog for choosing pictures. */
export function PictureButton({ label, isMultiple = false, onChoose }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="plain" className="-ms-3" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        multiple={isMultiple}
        hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // Reset, so that choosing the same file again fires a change event.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
