import { canaryReportSchema } from "#shared/contracts/canary.ts";
import { BadInput } from "../bad-input.ts";
import { canariesText } from "../canary/canaries-text.ts";
import { canarySuite, canarySuiteIds } from "../canary/canary-suite.ts";
import { judgeCanaries } from "../canary/judge-canaries.ts";
import { shortcomings } from "../canary/shortcomings.ts";
import { NotPassed } from "../not-passed.ts";
import { KEY_VARIABLE } from "../remote/service-access.ts";
import { serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { command } from "./command.ts";

const DATASET = "stock";

const help = `assay canary [suite] [--server URL] [--dataset NAME] [options]

Has the canaries of a suite judged by a service and prints what each earns against its bound. Canaries
are answers that say nothing, or that order the judge to give full marks: what they earn tells what the
judges let through.

  [suite]           ${canarySuiteIds.join(", ")}; may be left out where it is the only one
  ${serverHelp}
  --dataset NAME    what the canaries answer, a dataset of the service; without it, ${DATASET}
  --no-run          have nothing judged: print what the newest runs of the canaries earned
  --json            print the report as one JSON object instead of a table, as
                    GET /v1/suites/<suite>/canaries has it
  --help            show this

The API key is taken from the environment variable ${KEY_VARIABLE} and needs the scope admin, since whoever
runs the service pays its judges. --no-run needs none, nor does a service on your own machine. A key is
sent by https alone, or to this machine. Judgments that the service has kept cost nothing again.

A canary without a bound is only told. Runs go on at the service when this command is stopped.

Exit code: 0 when every bound holds; 1 when one is broken or was not measured, or when a run failed or was
stopped; 2 for input that needs a change, and when the service can't be reached or refuses.

Examples
  assay canary
  assay canary memory --server https://assay.example.com --dataset stock
  assay canary --no-run --json > canaries.json`;

const flags = {
  ...serviceFlags,
  dataset: { type: "string" },
  "no-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `assay canary`: what worthless answers earn from the judges of a service. */
export const canaryCommand = command({
  name: "canary",
  summary: "what worthless answers earn from a service's judges",
  help,
  flags,
  async run(values, positionals, { stdout, stderr }) {
    const suite = canarySuite(positionals);
    const { dataset = DATASET, "no-run": isReadOnly = false } = values;
    if (isReadOnly && values.dataset !== undefined) {
      throw new BadInput("--dataset says what to judge, and --no-run that nothing is: give one");
    }
    const service = serviceOf(values, "admin");
    const runs = isReadOnly ? [] : await judgeCanaries(service, suite.id, dataset, stderr);
    const { value: report } = await service.get(
      `/v1/suites/${suite.id}/canaries`,
      canaryReportSchema,
    );
    const printed = values.json ? JSON.stringify(report, null, 2) : canariesText(suite, report);
    stdout.write(`${printed}\n`);
    const short = shortcomings(report, runs);
    if (short.length > 0) throw new NotPassed(short.join("; "));
  },
});
