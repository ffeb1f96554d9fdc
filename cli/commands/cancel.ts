import { z } from "zod";
import { runSchema } from "#shared/contracts/run.ts";
import { RUN_OR_SUBMISSION, runIds, runsText } from "../remote/runs-text.ts";
import { serviceCommand } from "../remote/service-flags.ts";

/** `assay cancel`: cancels runs. */
export const cancelCommand = serviceCommand({
  name: "cancel",
  summary: "cancel runs of a service",
  description: [
    "Cancels runs of a service permanently. Answers received until then are kept; assay status shows them.",
  ],
  positionals: [{ name: "id", help: RUN_OR_SUBMISSION, many: true }],
  exitCodes: {
    0: "All are cancelled",
    2: "Invalid input, a run that has already ended, or the service cannot be reached or refuses the request",
  },
  notes: ["If the service requires keys, the key of the runs' owner is needed."],
  examples: [
    "assay cancel run_01a2b3c4",
    "assay cancel sub_01a2b3c4 --server https://assay.example.com",
  ],
  scope: "submit",
  result: z.array(runSchema),
  resultHelp: "Print the runs as one JSON array, as in GET /v1/runs/<id>",
  async call(service, _, positionals) {
    const runs = [];
    for (const id of await runIds(service, positionals)) {
      const path = `/v1/runs/${encodeURIComponent(id)}/cancel`;
      runs.push(await service.post(path, {}, runSchema));
    }
    return runs;
  },
  text: (runs, _, __, { stdout }) => runsText(runs, stdout),
});
