import { TextLink } from "./text-link.tsx";
import { useSite } from "./use-site.ts";

export const useAcceptsReports = () => useSite()?.acceptsReports === true;

/** The link to the form that reports an item or a person. */
export const ReportLink = ({ path, className }: { path: string; className?: string }) => (
  <TextLink
    reloadDocument
    to={`/report${path}`}
    rel="nofollow"
    {...(className !== undefined && { className })}
  >
    Report
  </TextLink>
);
