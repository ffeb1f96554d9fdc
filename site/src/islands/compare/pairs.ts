import { type Compared, markedNames, metricOf } from "../../report/compare/compared.ts";
import { PairsProblem, SamplePairs } from "../../report/compare/SamplePairs.tsx";
import { samplePairs } from "../../report/compare/sample-pairs.ts";
import { findPart } from "../find-part.ts";
import { loadSamples } from "./load-comparison.ts";

type Samples = ReturnType<typeof loadSamples>;

/** Samples by run, so that none is loaded twice on a page. */
const loaded = new Map<string, Samples>();

function samplesOf(run: string, signal: AbortSignal): Samples {
  const known = loaded.get(run);
  if (known) return known;
  const loading = loadSamples(run, signal);
  loaded.set(run, loading);
  // What failed may be tried again.
  loading.catch(() => loaded.delete(run));
  return loading;
}

const chosenRuns = (root: HTMLElement): string[] =>
  ["first", "second"].map(
    (name) => findPart<HTMLSelectElement>(root, `[data-shows=${name}]`).value,
  );

/** Draws the two runs that are chosen, sample by sample. */
export async function showPairs(
  root: HTMLElement,
  compared: Compared,
  signal: AbortSignal,
): Promise<void> {
  const runs = chosenRuns(root);
  const place = findPart(root, "[data-part=pairs]");
  // The chart that stands there keeps the room of the next one.
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
