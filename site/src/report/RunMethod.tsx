import { pricesText } from "#shared/measures/performance/token-cost.ts";
import { paths } from "../data/paths.ts";
import { flatOptions } from "../data/runs/run-state.ts";
import { submitCommand } from "../format/submit-command.ts";
import { Code } from "./Code.tsx";
import { type Fact, Facts } from "./Facts.tsx";
import { repeatSubmission } from "./repeat-submission.ts";
import { runFacts } from "./run-facts.ts";
import { ScrollTable } from "./ScrollTable.tsx";
import { type ShownRun, siteUrl } from "./shown-run.ts";

const factsOf = ({
  promptHash,
  scoringVersion,
  codeRevision,
  dataset,
  prices,
}: ShownRun["run"]): Fact[] => [
  {
    term: "Prompt hash",
    text: promptHash ?? "not declared, so the run can't be ranked",
    code: promptHash !== null,
  },
  { term: "Scoring version", text: scoringVersion, code: true },
  { term: "Code revision", text: codeRevision, code: true },
  { term: "Dataset version", text: dataset.version, code: true },
  { term: "Prices", text: prices && pricesText(prices) },
];

const Options = ({ run }: { run: ShownRun["run"] }) => {
  const options = flatOptions(run.options);
  return options.length === 0 ? null : (
    <details>
      <summary>{options.length} options</summary>
      <ScrollTable label="Options of this run" columns={["Option", "Value"]}>
        <tbody>
          {options.map(({ name, value }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{value}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </details>
  );
};

/** Addresses of single answers, for judged runs. */
const JudgedLinks = ({ run }: { run: ShownRun["run"] }) =>
  run.judging === null || run.hiddenSamples ? null : (
    <p class="prose">
      A sample's own address, <code>{`${run.links.samples}/{id}`}</code>, has the answer and every
      judgment: value, judge and reasoning, or why there is none;{" "}
      <code>{`assay rescore ${run.id} --judge provider:model`}</code> asks another judge.
    </p>
  );

const Reproduce = ({ run, origin }: { run: ShownRun["run"]; origin: string }) => (
  <>
    <h3 id="reproduce">Reproduce it</h3>
    <p class="prose">
      The same dataset version and options, against an endpoint of your own. Two runs are comparable
      when suite, dataset version, samples, scoring and prompt agree. Keys are placeholders
      {run.judging !== null &&
        "; it uses the judges of this run, so the service needs keys for them"}
      .
      {run.provenance.kind === "self-reported" &&
        run.provenance.relay === undefined &&
        " The request settings of these answers are unknown, because the submitter sent finished answers; the command requests new ones."}
    </p>
    <details>
      <summary>Command that repeats this run</summary>
      <Code
        label="Command that repeats this run"
        text={submitCommand(origin, repeatSubmission(run))}
      />
    </details>
    <JudgedLinks run={run} />
  </>
);

/** Lets readers report a problem with a run to the operator. */
const Report = ({ report: { run, place } }: { report: ShownRun }) => {
  const href = place.apiOrigin === null ? undefined : siteUrl(place, paths.reportRun(run.id));
  return href === undefined ? null : (
    <p class="prose">
      Something wrong with this run? <a href={href}>Report this</a> to the operator. Is it yours?{" "}
      <a href={siteUrl(place, `${paths.viewer}?id=${encodeURIComponent(run.id)}`)}>
        Change who sees it
      </a>
      .
    </p>
  );
};

/** Origin, time and settings of the run, and the command that repeats it. */
export const RunMethod = ({ report }: { report: ShownRun }) => {
  const { run, place } = report;
  return (
    <>
      <Facts facts={[...runFacts(report), ...factsOf(run)]} />
      {run.notes.length > 0 && (
        <>
          <h3>Notes</h3>
          <p class="prose">
            Deviations from the request. A mode or parameter that the endpoint refuses is replaced
            or left out for the rest of the run; such a fallback is not counted as a retry.
          </p>
          <ul class="prose">
            {run.notes.map((note) => (
              <li>{note}</li>
            ))}
          </ul>
        </>
      )}
      <Options run={run} />
      {place.apiOrigin !== null && <Reproduce run={run} origin={place.apiOrigin} />}
      <Report report={report} />
    </>
  );
};
