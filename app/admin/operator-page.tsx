import { Fragment, type ReactNode, useState } from "react";
import { useSite } from "../ui/use-site.ts";
import { ActionsProvider } from "./actions.tsx";
import { ContentRegion } from "./content-region.tsx";
import { InvitationLinksRegion } from "./invitation-links-region.tsx";
import { LogRegion } from "./log-region.tsx";
import { LossesProvider } from "./losses.tsx";
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
  // Counts the actions, so that the log and the other regions show what they have changed.
  const [counts, setCounts] = useState<Record<string, number>>({});
  const countOf = (...regions: string[]) => regions.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  function onDone(path: string) {
    const [, region = ""] = path.split("/");
    setCounts((known) => ({ ...known, [region]: (known[region] ?? 0) + 1 }));
  }
  const sections: Section[] = [
    {
      anchor: "members",
      title: "Members",
      region: <MembersRegion actionCount={countOf("content", "reports")} />,
    },
    {
      anchor: "content",
      title: "Content",
      region: <ContentRegion actionCount={countOf("members", "reports")} />,
    },
    { anchor: "invitation-links", title: "Invitation Links", region: <InvitationLinksRegion /> },
    ...(useSite()?.acceptsReports
      ? [
          {
            anchor: "reports",
            title: "Reports",
            region: <ReportsRegion actionCount={countOf("members", "content")} />,
          },
        ]
      : []),
    { anchor: "log", title: "Log", region: <LogRegion actionCount={countOf(...Object.keys(counts))} /> },
    { anchor: "state", title: "State", region: <StateRegion /> },
  ];
  return (
    <ActionsProvider needsPasskey={needsPasskey} onDone={onDone}>
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
        <LossesProvider>
          <div className="space-y-20 shown-in-order">
            <NeedsNotice />
            {sections.map(({ anchor, region }) => (
              <Fragment key={anchor}>{region}</Fragment>
            ))}
          </div>
        </LossesProvider>
      </NeedsProvider>
    </ActionsProvider>
  );
}
