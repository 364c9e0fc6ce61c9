import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { UnsavedChanges } from "../router/unsaved-changes.tsx";

interface Loss {
  /** The dialog's title if this is the first loss. */
  title: string;
  text: string;
}

interface Report {
  losses: readonly Loss[];
  onLeave(): void;
}

const ASKS = "Are you sure you want to leave this page?";

const LossesContext = createContext<(anchor: string, report: Report) => void>(() => {});

/** Asks before the operator leaves the page if a section would lose something. The router allows one question per page. */
export function LossesProvider({ children }: { children: ReactNode }) {
  const [reports, setReports] = useState<Readonly<Record<string, Report>>>({});
  const report = useCallback(
    (anchor: string, report: Report) => setReports((known) => ({ ...known, [anchor]: report })),
    [],
  );
  const losses = Object.values(reports).flatMap((each) => each.losses);
  return (
    <LossesContext value={report}>
      {children}
      <UnsavedChanges
        isDirty={losses.length > 0}
        title={losses[0]?.title ?? ""}
        text={[ASKS, ...losses.map(({ text }) => text)].join(" ")}
        onLeave={() => {
          for (const { onLeave } of Object.values(reports)) onLeave();
        }}
      />
    </LossesContext>
  );
}

/**
 * Names what the operator would lose by leaving the page now.
 *
 * @param anchor the section's anchor
 * @param losses the false ones don't apply
 */
export function useLosses(anchor: string, losses: readonly (Loss | false)[], onLeave = () => {}): void {
  const report = useContext(LossesContext);
  const leave = useRef(onLeave);
  useLayoutEffect(() => {
    leave.current = onLeave;
  });
  const lines = JSON.stringify(losses.filter((loss) => loss !== false));
  useEffect(() => {
    report(anchor, { losses: JSON.parse(lines), onLeave: () => leave.current() });
    return () => report(anchor, { losses: [], onLeave() {} });
  }, [report, anchor, lines]);
}
