import { downloadName } from "#shared/contracts/download-name.ts";
import { compareReportHtml } from "../../report/compare/CompareReport.tsx";
import { overviewCsv, pairsCsv } from "../../report/compare/compare-csv.ts";
import {
  type Compared,
  rankedRuns,
  testedMetric,
  viewNamed,
} from "../../report/compare/compared.ts";
import { Overview } from "../../report/compare/Overview.tsx";
import { isAgainstOne, type Shown } from "../../report/compare/shown.ts";
import { Tests } from "../../report/compare/TestSection.tsx";
import { findPart } from "../find-part.ts";
import { saveFile } from "../save-file.ts";
import { showPairs } from "./pairs.ts";

interface Wanted {
  view: string | null;
  metric: string | null;
}

interface ResultOptions {
  jsonUrl: string;
  wanted: Wanted;
  signal: AbortSignal;
  /** Told when the reader wants something else to be shown. */
  onChange: (wanted: Wanted) => void;
}

const csvType = "text/csv;charset=utf-8";

/** Draws a comparison, and whatever of it its reader asks for. */
export function showResult(
  root: HTMLElement,
  compared: Compared,
  { jsonUrl, wanted, signal, onChange }: ResultOptions,
): void {
  const against = isAgainstOne(compared) ? (rankedRuns(compared.comparison)[0]?.run ?? null) : null;
  const shown: Shown = {
    view: viewNamed(compared, wanted.view),
    tested: testedMetric(compared, wanted.metric),
    against,
  };
  root.innerHTML = compareReportHtml({ compared, shown, jsonUrl });
  const draw = (part: string, html: unknown) => {
    findPart(root, `[data-part=${part}]`).innerHTML = String(html);
  };
  const changes: Record<string, (value: string) => void> = {
    view: (id) => {
      shown.view = viewNamed(compared, id);
      draw("overview", Overview({ compared, view: shown.view }));
    },
    metric: (id) => {
      shown.tested = testedMetric(compared, id);
      draw("tests", Tests({ compared, shown }));
    },
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

function save({ target }: Event, compared: Compared, { view, tested }: Shown): void {
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
