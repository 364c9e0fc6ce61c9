import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { PUBLIC_PATH, parsePicturePath } from "../../common/pictures/picture-path.ts";
import { DELETIONS } from "../history/deletion.ts";
import {
  DeletionNotice,
  preloadNotice,
  useDeletions,
  useReloadAfterUndo,
} from "../history/deletion-context.tsx";
import { useOperation } from "../operation/use-operation.ts";
import { useRead } from "../operation/use-read.ts";
import { memberData } from "../session/member-data.ts";
import { Button, ignoreDoubleClick } from "../ui/button.tsx";
import { mayMoveFocus } from "../ui/focus.ts";
import { LocalDate } from "../ui/local-date.tsx";
import { SteppedList } from "../ui/long-list.tsx";
import { TryAgain } from "../ui/try-again.tsx";
import { Unread } from "../ui/unread.tsx";
import { type PictureUse, readPictureUses } from "./picture-uses.ts";
import {
  deletePicture,
  listPictures,
  readPicture,
  type StoredPicture,
  storePicture,
} from "./stored-pictures.ts";

interface OwnPicture extends StoredPicture {
  /** A number that the picture keeps while the list is shown, so that a deletion doesn't rename other pictures. */
  number: number;
  uses: PictureUse[];
}

const COUNT_PER_STEP = 12;

/** Lists the member's pictures and, for each, the member's pages that show it. */
export default function OwnPictures({ userId, importCount }: { userId: string; importCount: number }) {
  const numbers = useRef(new Map<string, number>());

  const {
    value: pictures,
    isReading,
    isUnread,
    reload,
    retry,
    change,
  } = useRead<OwnPicture[]>(async () => {
    const data = await memberData();
    const [stored, uses] = await Promise.all([listPictures(userId), readPictureUses(data, userId)]);
    for (const { path } of stored.toReversed()) {
      if (!numbers.current.has(path)) numbers.current.set(path, numbers.current.size + 1);
    }
    return stored.map((picture) => ({
      ...picture,
      number: numbers.current.get(picture.path) ?? 0,
      uses: uses.get(picture.path) ?? [],
    }));
  }, `${userId} ${importCount}`);
  useReloadAfterUndo("pictures", reload);
  useEffect(preloadNotice, []);

  if (isUnread || pictures?.length === 0)
    return (
      <>
        {isUnread && <Unread />}
        <DeletionNotice place="pictures" />
      </>
    );
  return (
    <div>
      <h3 className="font-mono text-sm text-muted">Pictures</h3>
      <DeletionNotice place="pictures" />
      {pictures ? (
        <SteppedList rows={pictures} step={COUNT_PER_STEP} label="Pictures" moreLabel="Show More Pictures">
          {(picture) => (
            <PictureItem
              key={picture.path}
              picture={picture}
              name={`Picture ${picture.number}`}
              onRemoved={() => change((known) => known.filter(({ path }) => path !== picture.path))}
            />
          )}
        </SteppedList>
      ) : (
        <TryAgain
          text="Your pictures could not be read."
          isReading={isReading}
          isUrgent={false}
          onRetry={() => void retry()}
        />
      )}
    </div>
  );
}

interface PictureItemProps {
  picture: OwnPicture;
  name: string;
  onRemoved(): void;
}

function PictureItem({ picture: { path, createdAt, bytes, uses }, name, onRemoved }: PictureItemProps) {
  const { isPending, run } = useOperation(`pictures/${path}`);
  const { show } = useDeletions();
  const item = useRef<HTMLLIElement>(null);
  const address = PUBLIC_PATH + path;
  const { width, height } = parsePicturePath(path) ?? {};

  const remove = () =>
    run(async () => {
      // Keep the file, because Undo uploads it again.
      const blob = await readPicture(path);
      if (blob === null) return onRemoved();
      await deletePicture(path);
      const restore = () =>
        storePicture(path, blob).then(
          () => "restored" as const,
          () => "failed" as const,
        );
      show({ title: name, id: path, takesFocus: mayMoveFocus(item.current), place: "pictures", restore });
      onRemoved();
    }, DELETIONS);

  return (
    <li ref={item} id={path} className="flex items-center gap-x-4 border-b border-rule py-2 text-sm">
      <img
        src={address}
        alt={name}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        className="size-16 shrink-0 object-contain"
      />
      <p className="min-w-0 flex-1">
        {width} × {height}, {Math.ceil(bytes / 1_000)} kB, <LocalDate time={createdAt} />
        <span className="block">
          {uses.length === 0
            ? "Not used"
            : uses.map(({ title, path }, index) => (
                <span key={path}>
                  <span>{index === 0 ? "Used in " : ", "}</span>
                  <Link to={path} className="underline underline-offset-3">
                    {title}
                  </Link>
                </span>
              ))}
        </span>
      </p>
      <Button
        variant="plain"
        aria-label={`Delete ${name}`}
        aria-disabled={isPending}
        onClick={ignoreDoubleClick(() => void remove())}
      >
        Delete
      </Button>
    </li>
  );
}
