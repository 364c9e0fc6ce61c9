import { useState } from "react";
import { ActionsProvider } from "./actions.tsx";
import { ContentRegion } from "./content-region.tsx";
import { LogRegion } from "./log-region.tsx";
import { MembersRegion } from "./members-region.tsx";
import { StateRegion } from "./state-region.tsx";

export default function OperatorPage({ needsPasskey }: { needsPasskey: boolean }) {
  // Incremented after an action, so that the log shows it.
  const [actionCount, setActionCount] = useState(0);
  return (
    <ActionsProvider needsPasskey={needsPasskey} onDone={() => setActionCount((count) => count + 1)}>
      <div className="space-y-20">
        <MembersRegion />
        <ContentRegion />
        <LogRegion actionCount={actionCount} />
        <StateRegion />
      </div>
    </ActionsProvider>
  );
}
