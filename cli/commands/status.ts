import type { Writable } from "node:stream";
import { NotPassed } from "../not-passed.ts";
import { followRuns } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { brokenBy } from "../run/judged-run.ts";
import { runBars } from "../runs/run-bars.ts";
import { runIds, runsOf } from "../runs/runs-of.ts";
import { runsText } from "../runs/runs-text.ts";
import { onTermination } from "../score/on-termination.ts";
import { command } from "./command.ts";

const help = `assay status <id> … [--wait] [options]

How far runs of a service are, and what they scored.

  <id>              a run, or a submission for all of its runs
  --wait            ask until none goes on by itself: each has finished, failed, paused or was cancelled
  ${serverHelp}
  --json            print the runs as one JSON array, as GET /v1/runs/<id> has them
  --help            show this

Unlisted runs are there for whoever knows their ids.
${keyHelp}

Exit code: 0; with --wait 1 where a run failed, paused, was cancelled or got no answer; 2 for input that
needs a change, and when the service can't be reached or refuses.

Examples
  assay status sub_01a2b3c4 --wait
  assay status run_01a2b3c4 run_05d6e7f8 --json`;

const flags = {
  ...serviceFlags,
  wait: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `assay status`: how far runs are, and what they scored. */
export const statusCommand = command({
  name: "status",
  summary: "how far runs of a service are, and what they scored",
  help,
  flags,
  async run(values, positionals, { stdout, stderr }) {
    const service = serviceOf(values, "submit");
    const ids = await runIds(service, positionals);
    if (values.wait) await waitFor(service, ids, stderr);
    const runs = await runsOf(service, ids);
    stdout.write(`${values.json ? JSON.stringify(runs, null, 2) : runsText(runs)}\n`);
    const short = runs.flatMap((run) => {
      const why = brokenBy(run);
      return why === null ? [] : [`${run.id} ${why}`];
    });
    if (values.wait && short.length > 0) throw new NotPassed(short.join("; "));
  },
});

async function waitFor(service: ServiceClient, ids: readonly string[], stderr: Writable) {
  const bars = runBars(stderr);
  const release = onTermination(bars.clear);
  try {
    await followRuns(service, ids, bars.show);
  } finally {
    release();
    bars.clear();
  }
}
