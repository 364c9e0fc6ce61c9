import path from "node:path";
import { expect, test } from "vitest";
import type { RenderJob } from "../../common/page-services.ts";
import type { Rendered } from "./text-worker.ts";
import { createWorkerThread } from "./worker-thread.ts";

const job = (text: string): RenderJob => ({ author: "", format: "markdown", text, path: "" });

test("a text that needs too much memory exceeds its budget every time, and the next text is rendered", async () => {
  const worker = createWorkerThread<RenderJob, Rendered>(
    path.join(import.meta.dirname, "text-worker.ts"),
    64,
  );
  // A check of the budget may still be running while the thread ends, so try several texts.
  for (const text of ["*a* ", "a  \n", "[a](b) "]) {
    await expect(worker.run(job(text.repeat(40_000)), 60_000)).rejects.toMatchObject({
      name: "BudgetExceededError",
      message: "memory",
    });
  }
  const { result } = await worker.run(job("*next*"), 10_000);
  expect(result).toEqual({ html: '<p dir="auto"><em>next</em></p>' });
  worker.stop();
});
