import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { describeError, relativeFile, send } from "./test-events.ts";

/** Reports to scripts/test.mjs. */
export default class PlaywrightReporter implements Reporter {
  #total = 0;
  #done = 0;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#total = suite.allTests().length;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#done += 1;
    const file = relativeFile(test.location.file);
    if (result.status === "passed") {
      send({ type: "passed" });
    } else if (result.status !== "skipped") {
      // The first entries of the path are the project and the file.
      const name = test.titlePath().slice(3).join(" › ");
      const reason = describeError(result.error) ?? result.status;
      send({ type: "failed", file, line: test.location.line, name, reason });
    }
    send({ type: "duration", file, ms: result.duration });
    send({ type: "progress", done: this.#done, total: this.#total });
  }

  onError(error: TestError): void {
    const reason = describeError(error) ?? "Playwright gives no reason.";
    send({ type: "failed", file: "tests/journeys", name: "an error outside of any test", reason });
  }

  printsToStdio(): boolean {
    return true;
  }
}
