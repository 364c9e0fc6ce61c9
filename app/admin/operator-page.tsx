import { Fragment, type ReactNode, useState } from "react";
import { useSite } from "../ui/use-site.ts";
import { ActionsProvider } from "./actions.tsx";
import { ContentRegion } from "./content-region.tsx";
import { InvitationLinksRegion } from "./invitation-links-region.tsx";
import { LogRegion } from "./log-region.tsx";
import { MembersRegion } from "./members-region.tsx";
import { NeedsNotice, NeedsProvider } from "./needs.tsx";
import { ReportsRegion } from "./reports-region.tsx";
import { StateRegion } from "./state-region.tsx";

interface Section {
  /** The id of the section's panel. */
  anchor: string;
  title: string;
  region: ReactNode;
}

export default function OperatorPage({ needsPasskey }: { needsPasskey: boolean }) {
  // Incremented after an action, so that the log shows it.
  const [actionCount, setActionCount] = useState(0);
  const sections: Section[] = [
    { anchor: "members", title: "Members", region: <MembersRegion /> },
    { anchor: "content", title: "Content", region: <ContentRegion /> },
    {
      anchor: "invitation-links",
      title: "Invitation Links",
      region: <InvitationLinksRegion actionCount={actionCount} />,
    },
    ...(useSite()?.acceptsReports
      ? [{ anchor: "reports", title: "Reports", region: <ReportsRegion /> }]
      : []),
    { anchor: "log", title: "Log", region: <LogRegion actionCount={actionCount} /> },
    { anchor: "state", title: "State", region: <StateRegion /> },
  ];
  return (
    <ActionsProvider needsPasskey={needsPasskey} onDone={() => setActionCount((count) => count + 1)}>
      <NeedsProvider>
        <nav aria-label="Sections" className="mb-6 flex flex-wrap gap-x-6">
          {sections.map(({ anchor, title }) => (
            <a
              key={anchor}
              href={`#${anchor}`}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {title}
            </a>
          ))}
        </nav>
        <NeedsNotice />
        <div className="space-y-20">
          {sections.map(({ anchor, region }) => (
            <Fragment key={anchor}>{region}</Fragment>
          ))}
        </div>
      </NeedsProvider>
    </ActionsProvider>
  );
}
