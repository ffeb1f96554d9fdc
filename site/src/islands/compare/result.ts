import type { Comparison, MarginTests } from "#shared/contracts/boards/comparison.ts";
import { downloadName } from "#shared/contracts/text/download-name.ts";
import { drawsAgainstOne, type Selection } from "../../report/compare/Choice.tsx";
import { compareReportHtml } from "../../report/compare/CompareReport.tsx";
import { overviewCsv, pairsCsv } from "../../report/compare/compare-csv.ts";
import {
  type Compared,
  markedNames,
  metricOf,
  rankedRuns,
  testedMetric,
  viewNamed,
} from "../../report/compare/compared.ts";
import { Overview } from "../../report/compare/Overview.tsx";
import { PairsProblem, SamplePairs } from "../../report/compare/SamplePairs.tsx";
import { samplePairs } from "../../report/compare/sample-pairs.ts";
import { Tests } from "../../report/compare/TestSection.tsx";
import { getJson } from "../api.ts";
import { findPart } from "../find-part.ts";
import { comparePath } from "./compare-query.ts";
import { loadSamples } from "./load-comparison.ts";

interface Wanted {
  view: string | null;
  metric: string | null;
}

interface ResultOptions {
  jsonUrl: string;
  wanted: Wanted;
  signal: AbortSignal;
  /** Called when the reader changes the selection. */
  onChange: (wanted: Wanted) => void;
}

const csvType = "text/csv;charset=utf-8";

/** Draws a comparison, and the reader's selections in it. */
export function showResult(
  root: HTMLElement,
  compared: Compared,
  { jsonUrl, wanted, signal, onChange }: ResultOptions,
): void {
  const against = drawsAgainstOne(compared)
    ? (rankedRuns(compared.comparison)[0]?.run ?? null)
    : null;
  const shown: Selection = {
    view: viewNamed(compared, wanted.view),
    tested: testedMetric(compared, wanted.metric),
    against,
    margin: null,
  };
  root.innerHTML = compareReportHtml({ compared, shown, jsonUrl });
  const draw = (part: string, html: unknown) => {
    findPart(root, `[data-part=${part}]`).innerHTML = String(html);
  };
  /** Draws the tests, and those against the chosen margin once the API has computed them. */
  const showTests = async () => {
    const { tested } = shown;
    const margin = chosen(root, "margin");
    const show = (its: Selection["margin"]) => {
      shown.margin = its;
      draw("tests", Tests({ compared, shown }));
    };
    const isAsked = margin !== "" && tested !== null;
    show(isAsked ? `Testing whether runs are within ${margin} …` : null);
    if (!isAsked) return;
    const found = await marginOf(compared, tested.metric, margin, signal);
    const isCurrent = shown.tested === tested && chosen(root, "margin") === margin;
    if (!signal.aborted && isCurrent) show(found);
  };
  const changes: Record<string, (value: string) => void> = {
    view: (id) => {
      shown.view = viewNamed(compared, id);
      draw("overview", Overview({ compared, view: shown.view }));
    },
    metric: (id) => {
      shown.tested = testedMetric(compared, id);
      showTests();
    },
    margin: () => showTests(),
    against: (run) => {
      shown.against = run;
      draw("tests", Tests({ compared, shown }));
    },
  };
  root.addEventListener(
    "change",
    ({ target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      const name = target.dataset["shows"] ?? "";
      changes[name]?.(target.value);
      if (name === "first" || name === "second") showPairs(root, compared, signal);
      onChange({ view: shown.view.id || null, metric: shown.tested?.metric ?? null });
    },
    { signal },
  );
  root.addEventListener("click", (event) => save(event, compared, shown), { signal });
  showPairs(root, compared, signal);
}

function save({ target }: Event, compared: Compared, { view, tested }: Selection): void {
  const kind = target instanceof HTMLElement ? target.dataset["csv"] : undefined;
  const { suite, dataset } = compared.comparison;
  if (kind === "overview") {
    const name = downloadName([suite, dataset.name, "compare", view.id || "tested"], "csv");
    saveFile(name, overviewCsv(compared, view), csvType);
  }
  if (kind === "pairs" && tested !== null) {
    const name = downloadName([suite, dataset.name, "pairs", tested.metric], "csv");
    saveFile(name, pairsCsv(compared, tested), csvType);
  }
}

/** The API's tests against a margin, or a text that says why there are none. */
async function marginOf(
  { comparison }: Compared,
  metric: string,
  margin: string,
  signal: AbortSignal,
): Promise<MarginTests | string> {
  const runs = comparison.runs.map(({ run }) => run);
  const path = `${comparePath(runs)}&margin=${encodeURIComponent(`${metric}:${margin}`)}`;
  const failed = (why: string) => `Whether runs are within ${margin} could not be tested: ${why}`;
  try {
    const { metrics } = await getJson<Comparison>(path, { signal });
    const tests = metrics.find((one) => one.metric === metric)?.margin;
    return tests ?? failed("the service is of an earlier version.");
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const chosen = (root: HTMLElement, name: string): string =>
  findPart<HTMLSelectElement>(root, `[data-shows=${name}]`).value;

type Samples = ReturnType<typeof loadSamples>;

/** Samples by run, to load each only once. */
const loaded = new Map<string, Samples>();

function samplesOf(run: string, signal: AbortSignal): Samples {
  const known = loaded.get(run);
  if (known) return known;
  const loading = loadSamples(run, signal);
  loaded.set(run, loading);
  // Lets a failed load be retried.
  loading.catch(() => loaded.delete(run));
  return loading;
}

const chosenRuns = (root: HTMLElement): string[] =>
  ["first", "second"].map((name) => chosen(root, name));

/** Draws the two selected runs, sample by sample. */
async function showPairs(
  root: HTMLElement,
  compared: Compared,
  signal: AbortSignal,
): Promise<void> {
  const runs = chosenRuns(root);
  const place = findPart(root, "[data-part=pairs]");
  // The current chart reserves the space for the next one.
  place.setAttribute("aria-busy", "true");
  if (place.childElementCount === 0) place.textContent = "Loading the samples…";
  const html = await drawn(runs, compared, signal).catch((error: Error) =>
    String(PairsProblem({ message: error.message })),
  );
  const isCurrent = runs.every((run, i) => run === chosenRuns(root)[i]);
  if (signal.aborted || !isCurrent) return;
  place.innerHTML = html;
  place.removeAttribute("aria-busy");
}

async function drawn(runs: string[], compared: Compared, signal: AbortSignal): Promise<string> {
  const names = markedNames(compared.comparison);
  const [first, second] = await Promise.all(runs.map((run) => samplesOf(run, signal)));
  const [one = "", other = ""] = runs;
  return String(
    SamplePairs({
      metric: metricOf(compared, compared.suite.headline),
      first: { run: one, name: names.get(one) ?? one },
      second: { run: other, name: names.get(other) ?? other },
      pairs: samplePairs(first?.rows ?? [], second?.rows ?? []),
      isPart: first?.isPart === true || second?.isPart === true,
    }),
  );
}

/** Long enough for any browser to start reading, ms. */
const readMs = 60_000;

function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), readMs);
}
