import { expect, test } from "vitest";
import type { RenderJob } from "../../common/page-services.ts";
import { createRenderWorker } from "./render-worker.ts";

const job = (text: string): RenderJob => ({ author: "", format: "markdown", text, path: "" });

test("a text that needs too much memory exceeds its budget every time, and the next text is rendered", async () => {
  const worker = createRenderWorker(64);
  // A check of the budget may still be running while the thread ends, so try several texts.
  for (const text of ["*a* ", "a  \n", "[a](b) "]) {
    await expect(worker.run(job(text.repeat(40_000)), 60_000)).rejects.toMatchObject({
      name: "BudgetExceededError",
      message: "memory",
    });
  }
  const { rendered } = await worker.run(job("*next*"), 10_000);
  expect(rendered).toEqual({ html: '<p dir="auto"><em>next</em></p>' });
  worker.stop();
});
