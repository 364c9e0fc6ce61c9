import { useEffect, useRef, useState } from "react";
import { v4 as newUuid } from "uuid";
import { useUserId } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import type { PicturePurpose } from "./fit-picture.ts";
import { alternativeText } from "./placeholder.ts";

export interface Upload {
  id: string;
  name: string;
  /** The fraction that has been uploaded, from 0 to 1. Null while the picture is being prepared. */
  progress: number | null;
  cancel(): void;
}

interface UploadEvents {
  onUploaded(id: string, address: string): void;
  /** Called if the upload fails or is cancelled. */
  onAborted(id: string): void;
}

const UPLOAD_FAILED = "The picture could not be uploaded. Try again in a moment.";

/** Manages a form's uploads. They are cancelled when the form unmounts. */
export function useUploads(purpose: PicturePurpose, events: UploadEvents) {
  const userId = useUserId();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [problem, setProblem] = useState("");
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  const running = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const controllers = running.current;
    return () => {
      for (const controller of controllers.values()) controller.abort();
    };
  }, []);

  async function upload(id: string, file: File, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const name = alternativeText(file.name);
    const onProgress = (progress: number) =>
      setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, progress } : upload)));
    try {
      if (userId === null) throw new Error("An upload needs a session");
      // Load the code that prepares and sends pictures only when a member adds one.
      const { uploadPicture } = await import("./upload-picture.ts");
      const address = await uploadPicture(file, { userId, purpose, onProgress, signal });
      latest.current.onUploaded(id, address);
      announce(`Added ${name}`);
    } catch (error) {
      const isCancelled = signal.aborted;
      latest.current.onAborted(id);
      if (isCancelled) return;
      const message = error instanceof Error && error.name === "PictureError" ? error.message : UPLOAD_FAILED;
      setProblem(message);
    } finally {
      running.current.delete(id);
      setUploads((all) => all.filter((upload) => upload.id !== id));
    }
  }

  return {
    uploads,
    problem,
    /** Returns the ids of the uploads, in the order of the files. */
    start(files: File[]): string[] {
      setProblem("");
      const started = files.map((file): Upload & { file: File; controller: AbortController } => {
        const controller = new AbortController();
        const name = alternativeText(file.name);
        const cancel = () => {
          controller.abort();
          announce(`Cancelled ${name}`);
        };
        return { id: newUuid(), name, progress: null, cancel, file, controller };
      });
      setUploads((all) => [...all, ...started]);
      for (const { id, file, controller } of started) {
        running.current.set(id, controller);
        void upload(id, file, controller);
      }
      announce(`Uploading ${started.map(({ name }) => name).join(", ")}`);
      return started.map(({ id }) => id);
    },
    /** Cancels an upload whose picture is no longer in the text. */
    abandon(id: string): void {
      running.current.get(id)?.abort();
    },
  };
}
