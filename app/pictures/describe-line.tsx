import { useMemo } from "react";
import { type UndescribedPicture, undescribedPictures } from "./descriptions.ts";

const MAX_NAMED = 5;

interface DescribeLineProps {
  text: string;
  fileNames: ReadonlyMap<string, string>;
  onDescribe(picture: UndescribedPicture): void;
}

/** Asks for descriptions of the pictures that have none. Pressing a name selects the text to replace. */
export function DescribeLine({ text, fileNames, onDescribe }: DescribeLineProps) {
  const pictures = useMemo(() => undescribedPictures(text, fileNames), [text, fileNames]);
  const [count, rest] = [pictures.length, pictures.length - MAX_NAMED];
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span>{`Describe ${count === 1 ? "1 picture" : `${count} pictures`}:`}</span>
      {pictures.slice(0, MAX_NAMED).map((picture) => (
        <button
          key={picture.start}
          type="button"
          aria-label={`Describe ${picture.name}`}
          className="inline-flex min-h-11 max-w-48 items-center underline decoration-2 underline-offset-4 hover:bg-marker hover:text-on-marker"
          onClick={() => onDescribe(picture)}
        >
          <span className="truncate">{picture.name}</span>
        </button>
      ))}
      {rest > 0 && <span>{`and ${rest} more`}</span>}
    </p>
  );
}
