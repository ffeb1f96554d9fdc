import type { RunReport } from "../../../contracts/run-report.ts";
import { figureText } from "../figures/figure-text.ts";

/**
 * Where and when a run was made, of what and with which options, as terms with their texts; what is not known is
 * left out.
 * @example runFactRows(report)[0] // ["Model", "acme/large"]
 */
export function runFactRows({ run, suite }: RunReport): [term: string, text: string][] {
  const { model, provenance, dataset, progress, prices } = run;
  const judges = Object.values(run.judging?.judges ?? {}).flatMap(({ routes }) => routes);
  const rows: [string, string | null][] = [
    ["Model", model.slug],
    ["Model page", model.url],
    ["License", model.license],
    ["Parameters", model.parameters],
    ["Quantization", model.quantization],
    ["Answers", provenance.kind === "called" ? `called at ${provenance.endpointHost}` : "sent in"],
    ["Cloud", run.hybrid?.cloudHost ?? null],
    ["Suite", `${suite.label}, version ${run.suiteVersion}`],
    ["Dataset", `${dataset.name}, ${figureText(dataset.samples, "count")} samples`],
    ["Dataset version", dataset.version],
    ["Samples", samplesText(progress)],
    ["Judged by", [...new Set(judges.map(routeText))].join(", ") || null],
    ["Scoring version", run.scoringVersion],
    ["Code revision", run.codeRevision],
    ["Prompt hash", run.promptHash ?? "not declared"],
    ["Concurrency", figureText(run.concurrency.wanted, "count")],
    [
      "Prices",
      prices && `$${prices.inputPerMillion} in, $${prices.outputPerMillion} out per million tokens`,
    ],
    ["Submitted", run.createdAt],
    ["Finished", run.finishedAt],
    ["Run", run.id],
    ["Options", Object.keys(run.options).length === 0 ? null : JSON.stringify(run.options)],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== null && row[1] !== "");
}

const samplesText = ({ done, total, failed }: RunReport["run"]["progress"]): string => {
  const [ready, all, lost] = [done, total, failed].map((count) => figureText(count, "count"));
  return `${ready} of ${all} done, ${lost} failed`;
};

const routeText = ({
  provider,
  model,
  simulated,
}: {
  provider: string;
  model: string;
  simulated: boolean;
}) => `${provider}:${model}${simulated ? " (simulated)" : ""}`;
