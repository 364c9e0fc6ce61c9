import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from "vitest/node";
import { describeError, relativeFile, send } from "./test-events.ts";

const NO_REASON = "Vitest gives no reason.";

/** Reports to scripts/test.mjs. */
export default class VitestReporter implements Reporter {
  #total = 0;
  #done = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#total = specifications.length;
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "passed") send({ type: "passed" });
    if (state === "failed") {
      const file = relativeFile(test.module.moduleId);
      const reason = describeError(errors?.[0]) ?? NO_REASON;
      send({ type: "failed", file, line: test.location?.line, name: test.fullName, reason });
    }
  }

  onTestModuleEnd(module: TestModule): void {
    this.#done += 1;
    const file = relativeFile(module.moduleId);
    // An error outside of the tests, such as a failed import or hook.
    for (const error of module.errors()) {
      send({ type: "failed", file, name: "the whole file", reason: describeError(error) ?? NO_REASON });
    }
    send({ type: "duration", file, ms: module.diagnostic().duration });
    send({ type: "progress", done: this.#done, total: this.#total });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of errors) {
      const reason = describeError(error) ?? NO_REASON;
      send({ type: "failed", file: "tests", name: "an error outside of any test", reason });
    }
  }
}
