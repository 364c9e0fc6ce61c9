/** A running upload of a form. */
export interface Upload {
  id: string;
  name: string;
  /** The fraction that has been uploaded, from 0 to 1. Null while the picture is being prepared. */
  progress: number | null;
}

export type UploadEvent =
  | { type: "uploadsStarted"; uploads: Upload[] }
  | { type: "uploadProgressed"; id: string; progress: number }
  /** The upload has finished, was cancelled or, with a problem, has failed. */
  | { type: "uploadEnded"; id: string; problem?: string };

/** The uploads of a form, for its fields. */
export interface FormUploads {
  uploads: Upload[];
  uploadProblem: string;
  send(event: UploadEvent): void;
}
