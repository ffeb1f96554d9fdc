import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Slow test files, slowest first, because one that starts last would run alone at the end. */
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

/** Starts with the known slow files; the others follow in their usual order. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slow.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return at < 0 ? slow.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
