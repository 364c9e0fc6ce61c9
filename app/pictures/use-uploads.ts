import { useEffect, useRef } from "react";
import { v4 as newUuid } from "uuid";
import { useUserId } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import type { PicturePurpose } from "./fit-picture.ts";
import { alternativeText } from "./placeholder.ts";
import type { FormUploads } from "./uploads.ts";

/** A picture that the member has chosen for a form. */
export interface ChosenPicture {
  id: string;
  name: string;
  file: File;
}

/** `abandoned`: the member has removed the picture from the form. */
export type UploadOutcome = { address: string } | "failed" | "cancelled" | "abandoned";

const UPLOAD_FAILED = "The picture could not be uploaded. Try again in a moment.";

/** Sends a form's pictures. The form holds the state of its uploads. They are cancelled when the form unmounts. */
export function useUploads(
  purpose: PicturePurpose,
  form: FormUploads,
  onEnded: (picture: ChosenPicture, outcome: UploadOutcome) => void,
) {
  const userId = useUserId();
  const latest = useRef({ form, onEnded });
  useEffect(() => {
    latest.current = { form, onEnded };
  });
  const running = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort("abandoned");
    };
  }, []);

  async function upload(picture: ChosenPicture, controller: AbortController): Promise<void> {
    const { id, name, file } = picture;
    const { signal } = controller;
    const end = (outcome: UploadOutcome, problem?: string) => {
      running.current.delete(id);
      latest.current.onEnded(picture, outcome);
      latest.current.form.send({ type: "uploadEnded", id, ...(problem && { problem }) });
    };
    try {
      if (userId === null) throw new Error("An upload needs a session");
      // Load the code that prepares and sends pictures only when a member adds one.
      const { uploadPicture } = await import("./upload-picture.ts");
      const onProgress = (progress: number) =>
        latest.current.form.send({ type: "uploadProgressed", id, progress });
      const address = await uploadPicture(file, { userId, purpose, onProgress, signal });
      end({ address });
      announce(`Added ${name}`);
    } catch (error) {
      if (signal.aborted) return end(signal.reason);
      end("failed", error instanceof Error && error.name === "PictureError" ? error.message : UPLOAD_FAILED);
    }
  }

  return {
    choose: (files: File[]): ChosenPicture[] =>
      files.map((file) => ({ id: newUuid(), name: alternativeText(file.name), file })),
    start(pictures: ChosenPicture[]): void {
      const uploads = pictures.map(({ id, name }) => ({ id, name, progress: null }));
      form.send({ type: "uploadsStarted", uploads });
      for (const picture of pictures) {
        const controller = new AbortController();
        running.current.set(picture.id, controller);
        void upload(picture, controller);
      }
      announce(`Uploading ${pictures.map(({ name }) => name).join(", ")}`);
    },
    cancel(id: string): void {
      running.current.get(id)?.abort("cancelled");
    },
    /** Ends the uploads of the pictures that the form no longer contains, also if it shows another item by now. */
    keepOnly(isKept: (id: string) => boolean): void {
      for (const [id, controller] of running.current) if (!isKept(id)) controller.abort("abandoned");
    },
  };
}
