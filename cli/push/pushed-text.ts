import { runsText } from "../runs/runs-text.ts";
import type { PushedRun } from "./push-runs.ts";

/** What was published, as a table of the runs there. */
export function pushedText(pushed: readonly PushedRun[]): string {
  if (pushed.length === 0) return "nothing was published: no run finished";
  const from = pushed.map((one) => `${one.run.id} has the answers of ${one.from}`);
  return ["published, as self-reported:", runsText(pushed.map(({ run }) => run)), ...from].join(
    "\n",
  );
}
