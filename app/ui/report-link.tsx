import { TextLink } from "./text-link.tsx";
import { useSite } from "./use-site.ts";

/** The link to the form that reports an item or a person. Renders nothing if the site accepts no reports. */
export function ReportLink({ path }: { path: string }) {
  return useSite()?.acceptsReports ? (
    <p className="print:hidden">
      <TextLink reloadDocument to={`/report${path}`} rel="nofollow">
        Report
      </TextLink>
    </p>
  ) : null;
}
