import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long in their project, slowest first: one that began last would be waited for alone. */
const slow = [
  "faults/proof",
  "e2e/start",
  "browser/rebuilt-pages",
  "e2e/package",
  "browser/layout-shift",
  "rehearsal/rehearsal",
  "e2e/service/judging",
  "browser/pages",
  "e2e/stop",
  "rehearsal/limits",
  "e2e/service/clients",
  "e2e/judges",
  "browser/submit-pages",
  "browser/five-questions",
  "e2e/service/accounts",
  "faults/worker/isolate-death",
  "faults/worker/outage",
  "worker/judging/bridge",
  "worker/http/effort",
  "worker/accounts/deletion",
  "worker/drift/drift",
  "worker/drift/canaries",
  "worker/runs/private",
];

/** Begins with the files that are known to be slow; the others follow as they would. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slow.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
