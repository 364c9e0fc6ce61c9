/** The most characters of a report's reason (contract, "Reports"). */
export const MAX_REASON_CHARACTERS = 2_000;

/** A reported row of a content table or of `profiles`. */
export interface Reported {
  table: string;
  id: string;
}

/** A reader's input. */
export interface ReportValues {
  reason: string;
  /** Empty if the reader wants no answer. */
  email: string;
}

export type ReportResult =
  | { is: "accepted" }
  /** `problem` is a sentence for the reader. */
  | { is: "rejected"; field: keyof ReportValues; problem: string }
  | { is: "limited"; waitSeconds: number }
  /** The item or person doesn't exist. */
  | { is: "unknown" };
