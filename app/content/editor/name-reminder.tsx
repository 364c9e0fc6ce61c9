import { useEffect, useState } from "react";
import { Link } from "react-router";
import { authorName, storedName } from "../../../common/data/author.ts";
import { readProfile } from "../../../common/data/profile.ts";
import { memberData } from "../../session/member-data.ts";
import { useUserId } from "../../session/session.ts";

/** Asks members without a full name and a username for one before they publish. Shows nothing to others. */
export function NameReminder() {
  const userId = useUserId();
  const [shownName, setShownName] = useState<string>();

  useEffect(() => {
    if (userId === null) return;
    async function check(member: string) {
      const author = (await readProfile(await memberData(), member)) ?? { full_name: null, username: null };
      if (storedName(author) === "") setShownName(authorName(author));
    }
    // A failed read is not shown (specification §8).
    check(userId).catch(() => undefined);
  }, [userId]);

  if (shownName === undefined) return null;
  return (
    <p className="text-sm">
      Readers see “{shownName}” as the author.{" "}
      <Link to="/profile" className="font-semibold underline underline-offset-4">
        Add your name
      </Link>
    </p>
  );
}
