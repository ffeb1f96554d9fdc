import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import type { Run } from "#shared/contracts/run.ts";
import { judgingBlocks } from "#shared/measures/judging/judging-blocks.ts";
import { TableBlock } from "../../report/blocks/TableBlock.tsx";
import { apiOrigin, getJson } from "../api.ts";
import { emptySelects } from "../fill-select.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { takeShare } from "../page-access.ts";
import {
  type CompareQuery,
  compareCommand,
  comparePath,
  compareSearch,
  fewestRuns,
  readQuery,
} from "./compare-query.ts";
import { loadComparison } from "./load-comparison.ts";
import { Picker } from "./picker.ts";
import { showResult } from "./result.ts";
import { comparedChoices, runChoice } from "./run-choice.ts";

takeShare();
const form = findPart<HTMLFormElement>(document, "#choose");
const result = findPart(document, "#result");
const command = findPart(document, "#compare-command code");
const status = findPart(form, "[data-status]");
const placeholder = result.innerHTML;
const button = findPart<HTMLButtonElement>(form, ".action");

/** Aborts the current comparison when another one is requested. */
let current = new AbortController();
let query = readQuery(location.search);

const { suites } = await getJson<{ suites: ListedSuite[] }>("/v1/suites").catch((error: Error) => {
  refuse(`The suites could not be loaded: ${error.message}.`);
  emptySelects(form);
  findPart(form, "[data-choices]").textContent = "";
  return { suites: [] };
});

const picker = new Picker(form, suites, (runs) => {
  query = { ...query, runs };
  history.pushState(null, "", compareSearch(query));
  void compare(query, { isAsked: true });
});

function refuse(text: string): void {
  status.textContent = text;
  status.classList.add("field-error");
}

function say(text: string): void {
  status.textContent = text;
  status.classList.remove("field-error");
}

/** Compares and shows the runs of a query. `isAsked`: requested by the form; the focus then moves to the result. */
async function compare(wanted: CompareQuery, { isAsked }: { isAsked: boolean }): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const onWait = (seconds: number) =>
    say(`The comparison is being computed; retrying in ${seconds} s.`);
  say("Comparing…");
  try {
    const compared = await loadComparison(wanted.runs, suites, { signal, onWait });
    const { comparison, suite } = compared;
    if (!isAsked) void picker.show(suite.id, comparison.dataset, comparedChoices(comparison));
    showResult(result, compared, {
      jsonUrl: `${apiOrigin()}${comparePath(wanted.runs)}`,
      wanted,
      signal,
      onChange: (shown) => {
        query = { ...query, ...shown };
        history.replaceState(null, "", compareSearch(query));
      },
    });
    command.textContent = compareCommand(apiOrigin(), wanted.runs);
    const count = comparison.metrics[0]?.samples ?? 0;
    say(`Compared ${comparison.runs.length} runs on ${count} samples; the result is below.`);
    if (isAsked) findPart(result, "#result-title").focus();
  } catch (error) {
    if (signal.aborted) return;
    refuse(`These runs were not compared: ${(error as Error).message}.`);
    if (!isAsked) await offer({ ...wanted, runs: [] });
  }
}

/** Offers the board in the address, or the board of its only run. */
async function offer({ runs: [run], suite, dataset }: CompareQuery): Promise<void> {
  current.abort();
  result.innerHTML = placeholder;
  const [first] = suites;
  if (!first) return;
  const known = suites.find(({ id }) => id === suite) ?? first;
  if (run === undefined) return picker.show(known.id, dataset);
  try {
    const one = await getJson<Run>(`/v1/runs/${encodeURIComponent(run)}`);
    await picker.show(one.suite, one.dataset, [runChoice(one)]);
  } catch (error) {
    refuse(`Run ${run} could not be loaded: ${(error as Error).message}.`);
    await picker.show(known.id, dataset);
  }
}

/** Shows several judgings of the same answers. */
async function showJudgings(submissions: string): Promise<void> {
  say("Comparing the judgings…");
  const path = `/v1/judgings?submissions=${encodeURIComponent(submissions)}`;
  try {
    const study = await getJson<JudgingStudy>(path);
    result.innerHTML = judgingsHtml(study, suites);
    command.textContent = `curl "${apiOrigin()}${path}"`;
    say("The judgings are compared below.");
    void picker.show(study.suite, study.dataset);
  } catch (error) {
    refuse(`These judgings were not compared: ${(error as Error).message}.`);
    await offer({ ...query, runs: [] });
  }
}

async function open(): Promise<void> {
  query = readQuery(location.search);
  const submissions = new URLSearchParams(location.search).get("submissions");
  if (submissions !== null) await showJudgings(submissions);
  else if (query.runs.length >= fewestRuns) await compare(query, { isAsked: false });
  else await offer(query);
}

addEventListener("popstate", () => void open());
button.disabled = suites.length === 0;
await open();

/** How much the judging matters among rescored runs, as HTML: the result of `assay rescore --judgings`. */
function judgingsHtml(study: JudgingStudy, suites: readonly ListedSuite[]): string {
  const suite = suites.find(({ id }) => id === study.suite);
  const metric = suite?.metrics.find(({ id }) => id === study.metric);
  const blocks = judgingBlocks(study, metric ?? { label: study.metric, format: "score" });
  const html = blocks.map((block) => String(<TableBlock block={block} />));
  return `<h2>How much the judging decides</h2>${html.join("")}`;
}
