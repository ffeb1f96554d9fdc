import { runSchema } from "#shared/contracts/run.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { runIds } from "../runs/runs-of.ts";
import { runsText } from "../runs/runs-text.ts";
import { command } from "./command.ts";

const help = `assay cancel <id> … [options]

Cancels runs of a service for good. What was answered until then stays; assay status tells of it.

  <id>              a run, or a submission for all of its runs
  ${serverHelp}
  --json            print the runs as one JSON array, as GET /v1/runs/<id> has them
  --help            show this

Where the service wants keys, that of the runs' owner is needed.
${keyHelp}

Exit code: 0 when all are cancelled, 2 for input that needs a change, when a run has ended already, and when
the service can't be reached or refuses.

Examples
  assay cancel run_01a2b3c4
  assay cancel sub_01a2b3c4 --server https://assay.example.com`;

const flags = { ...serviceFlags, json: { type: "boolean" } } as const;

/** `assay cancel`: cancels runs. */
export const cancelCommand = command({
  name: "cancel",
  summary: "cancel runs of a service",
  help,
  flags,
  async run(values, positionals, { stdout }) {
    const service = serviceOf(values, "submit");
    const runs = [];
    for (const id of await runIds(service, positionals)) {
      const path = `/v1/runs/${encodeURIComponent(id)}/cancel`;
      runs.push((await service.post(path, {}, runSchema)).value);
    }
    stdout.write(`${values.json ? JSON.stringify(runs, null, 2) : runsText(runs)}\n`);
  },
});
