import { useEffect, useRef, useState } from "react";
import { openAuth } from "../session/open-auth.ts";
import { type Plan, type PlanLine, planImport } from "./import-plan.ts";
import { readFiles } from "./read-files.ts";
import { type Outcome, runImport } from "./run-import.ts";
import { readStored } from "./stored-rows.ts";

type ImportState =
  | { phase: "reading"; text: string }
  | { phase: "planned"; plan: Plan }
  | { phase: "importing"; done: number; total: number }
  | { phase: "done"; outcome: Outcome; lines: PlanLine[] }
  | { phase: "failed" };

interface Import {
  state: ImportState;
  start(lines: PlanLine[]): void;
  stop(): void;
}

/** Reads the files at once, stores what was chosen when it is started, and stops with the page. */
export function useImport(files: File[], userId: string): Import {
  const [state, setState] = useState<ImportState>({ phase: "reading", text: "Reading…" });
  const running = useRef<AbortController>(undefined);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const tell = (text: string) => signal.aborted || setState({ phase: "reading", text });
    async function prepare(): Promise<Plan> {
      const content = await readFiles(files, { signal, onRead: (count) => tell(`Reading file ${count}…`) });
      const { data } = await openAuth();
      const onRead = (count: number) => tell(`Comparing with what is here (${count})…`);
      const stored = await readStored(data, { userId, content, signal, onRead });
      return planImport(content, stored, userId);
    }
    prepare().then(
      (plan) => signal.aborted || setState({ phase: "planned", plan }),
      () => signal.aborted || setState({ phase: "failed" }),
    );
    return () => {
      controller.abort();
      running.current?.abort();
    };
  }, [files, userId]);

  async function run(lines: PlanLine[]) {
    const controller = new AbortController();
    running.current = controller;
    const total = lines.length;
    const tell = (done: number) => setState({ phase: "importing", done, total });
    tell(0);
    const { data } = await openAuth();
    const outcome = await runImport(data, { userId, lines, signal: controller.signal, onStored: tell });
    setState({ phase: "done", outcome, lines });
  }

  return {
    state,
    start: (lines) => void run(lines).catch(() => setState({ phase: "failed" })),
    stop: () => running.current?.abort(),
  };
}
