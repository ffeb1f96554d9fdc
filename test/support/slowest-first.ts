import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take a minute or more, slowest first: one that began last would be waited for alone. */
const slow = [
  "e2e/start",
  "browser/pages",
  "faults/proof",
  "rehearsal/rehearsal",
  "e2e/stop",
  "e2e/service",
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
