import { useCallback, useState } from "react";
import { useLocation } from "react-router";
import { RecentlyDeleted } from "../history/recently-deleted.tsx";
import { OwnItems } from "../own-items/own-items.tsx";
import { ContentSection } from "../portability/content-section.tsx";
import { useSession } from "../session/session.ts";
import { PasskeysSection } from "../sign-in/passkeys-section.tsx";
import { PasswordSection } from "../sign-in/password-section.tsx";
import { useSite } from "../ui/use-site.ts";
import { ProfileForm } from "./profile-form.tsx";
import { SkillsSection } from "./skills-section.tsx";

/** The panels' anchors and titles, in their order on narrow screens. */
const SECTIONS = [
  ["information", "Profile Information"],
  ["skills", "Skills"],
  ["items", "Your Items"],
  ["content", "Your Content"],
  ["deleted", "Recently Deleted"],
];

export default function ProfileEditor({ userId, onSaved }: { userId: string; onSaved(): void }) {
  const session = useSession();
  const site = useSite();
  const changesPassword = site?.signIn.password && session.status === "in" && session.hasPassword;
  const hasPasskeys = changesPassword && site.signIn.passkeys;
  // Incremented after an import and after an item is restored, so that the list of items shows the new ones.
  const [additionCount, setAdditionCount] = useState(0);
  // Incremented after items are deleted, and after Undo, so that the list of deleted items is right.
  const [deletionCount, setDeletionCount] = useState(0);
  const onAdded = useCallback(() => setAdditionCount((count) => count + 1), []);
  const onDeleted = useCallback(() => setDeletionCount((count) => count + 1), []);
  // Incremented after an import that replaces the profile or the skills, so that the forms read the new ones.
  const [version, setVersion] = useState(0);
  // An import that replaces the forms keeps the focus, so what has been shown stays visible.
  const shownInOrder = version === 0 ? "shown-in-order" : "";
  const asksForName = useLocation().hash === "#name" && version === 0;
  const sections = [
    ...SECTIONS,
    ...(changesPassword ? [["password", "Password"]] : []),
    ...(hasPasskeys ? [["passkeys", "Passkeys"]] : []),
  ];
  return (
    <div className={`contents ${shownInOrder}`}>
      <nav aria-label="Sections of your profile" className="flex flex-wrap gap-x-6 lg:col-span-2">
        {sections.map(([anchor, name]) => (
          <a
            key={anchor}
            href={`#${anchor}`}
            className="inline-flex min-h-11 items-center text-ink underline underline-offset-4"
          >
            {name}
          </a>
        ))}
      </nav>
      <ProfileForm key={`profile-${version}`} userId={userId} asksForName={asksForName} onSaved={onSaved} />
      <SkillsSection key={`skills-${version}`} userId={userId} />
      <div className="lg:col-span-2">
        <OwnItems
          key={`items-${version}`}
          userId={userId}
          additionCount={additionCount}
          onDeleted={onDeleted}
        />
      </div>
      <div className={`space-y-10 ${shownInOrder}`}>
        <ContentSection
          userId={userId}
          onImported={(replaced) => {
            onAdded();
            if (!replaced) return;
            setVersion((version) => version + 1);
            onSaved();
          }}
        />
        <RecentlyDeleted deletionCount={deletionCount} onRestored={onAdded} />
      </div>
      {changesPassword && <PasswordSection />}
      {hasPasskeys && <PasskeysSection />}
    </div>
  );
}
