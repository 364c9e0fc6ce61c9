import { useId } from "react";
import { MAX_REASON_CHARACTERS, type ReportValues } from "../../common/data/report-rules.ts";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useSite } from "../ui/use-site.ts";
import type { ReportedPage } from "./load-reported.server.ts";

/** The result of a sent form. */
export type Answer =
  | { isSent: true }
  | {
      isSent: false;
      /** The typed values, which the page shows again. */
      values: ReportValues;
      /** The field with the problem. Null if the problem is none of a field. */
      field: keyof ReportValues | null;
      problem: string;
    };

interface ReportPageProps {
  reported: ReportedPage;
  /** Undefined if nothing was sent. */
  answer: Answer | undefined;
}

export function ReportPage({ reported, answer }: ReportPageProps) {
  const site = useSite();
  const name = answer?.isSent ? "Report sent" : `Report ${reported.name}`;
  return (
    <div className="grid gap-x-10 lg:grid-cols-margin">
      <title>{site ? `${name} · ${site.title}` : name}</title>
      <div className="max-w-measure lg:col-start-2">
        {answer?.isSent ? <Thanks reported={reported} /> : <ReportForm reported={reported} answer={answer} />}
      </div>
    </div>
  );
}

const HEADING = "font-display text-title font-bold tracking-tight";

function Thanks({ reported: { path, name } }: { reported: ReportedPage }) {
  return (
    <>
      <h1 className={HEADING}>Report Sent</h1>
      <p className="mt-4 text-lg">Thank you. The operators of this site will look at it.</p>
      <p className="mt-4">
        <TextLink to={path}>
          <span className="min-w-0 wrap-anywhere">
            Back to <bdi>{name}</bdi>
          </span>
        </TextLink>
      </p>
    </>
  );
}

interface ReportFormProps {
  reported: ReportedPage;
  answer: Exclude<Answer, { isSent: true }> | undefined;
}

/** A plain form, which also works without JavaScript. The server responds with this page. */
function ReportForm({ reported: { path, name, noun, author }, answer }: ReportFormProps) {
  const problemId = useId();
  const hintId = useId();
  const invalid = (field: keyof ReportValues) =>
    answer?.field === field && {
      "aria-invalid": true,
      "aria-describedby": problemId,
      autoFocus: true,
    };
  return (
    <>
      <h1 className={HEADING}>Report</h1>
      <p className="mt-4 text-lg wrap-anywhere">
        You are reporting the {noun}{" "}
        <TextLink to={path} className="min-w-0">
          <bdi className="min-w-0">{name}</bdi>
        </TextLink>
        {author !== null && (
          <>
            {" by "}
            <bdi>{author}</bdi>
          </>
        )}
        .
      </p>
      <p className="mt-2 text-muted">
        Only the operators of this site see the report. They keep it for at most 90 days.
      </p>
      <form method="post" className="mt-8 space-y-5">
        {answer && (
          <p id={problemId} role="alert" className="font-medium text-danger">
            {answer.problem}
          </p>
        )}
        <TextArea
          label="Reason"
          name="reason"
          rows={8}
          required
          maxLength={MAX_REASON_CHARACTERS}
          defaultValue={answer?.values.reason}
          {...invalid("reason")}
        />
        <div>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={answer?.values.email}
            aria-describedby={hintId}
            {...invalid("email")}
          />
          <p id={hintId} className="mt-1 text-sm text-muted">
            Optional, for an answer.
          </p>
        </div>
        <Button type="submit" variant="primary">
          Send Report
        </Button>
      </form>
    </>
  );
}
