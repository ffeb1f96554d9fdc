import { TestRunner } from "vitest";

/** Faults that a test injected, for the table of `npm run test:faults`. */
interface ProvenFaults {
  fault: string;
  injected: number;
}

declare module "vitest" {
  interface TaskMeta {
    faults?: ProvenFaults[];
  }
}

/** Records faults for the current test. They count as survived if it passes. */
export function proves(fault: string, injected = 1): void {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta) meta.faults = [...(meta.faults ?? []), { fault: `step by step: ${fault}`, injected }];
}
