import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReportHtml } from "../../report/RunReport.tsx";
import { apiOrigin, getJson } from "../api.ts";

/** How often an unfinished run is asked for again, ms. */
const againMs = 3_000;

const place = document.querySelector<HTMLElement>("#report");
const id = new URLSearchParams(location.search).get("id");

/** Asks for a run's id where the address has none. */
function offerForm(root: HTMLElement): void {
  const form = root.querySelector<HTMLFormElement>("[data-form]");
  if (!form) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form).get("id");
    location.search = new URLSearchParams({ id: String(given ?? "").trim() }).toString();
  });
}

function say(root: HTMLElement, text: string): void {
  const state = root.querySelector("[data-state]");
  if (state) state.textContent = text;
}

/** What of a run changes what its page shows; it is drawn anew only then, so that nobody's place is lost. */
const stateOf = ({ run }: RunReport): string =>
  JSON.stringify([run.status, run.phase, run.progress, run.finishedAt, run.scoringVersion]);

const hasEnded = ({ run }: RunReport): boolean =>
  run.status === "finished" || run.status === "failed" || run.status === "cancelled";

function draw(root: HTMLElement, report: RunReport): void {
  root.innerHTML = runReportHtml({ ...report, place: { apiOrigin: apiOrigin(), sweep: null } });
  document.title = `${report.run.model.name} on ${report.suite.label} · Assay`;
}

async function show(root: HTMLElement, runId: string): Promise<void> {
  say(root, "Loading the run…");
  let shown = "";
  for (;;) {
    const report = await getJson<RunReport>(`/v1/runs/${encodeURIComponent(runId)}/report`);
    const state = stateOf(report);
    if (state !== shown) draw(root, report);
    shown = state;
    if (hasEnded(report)) return;
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

if (place && id) {
  show(place, id).catch((error: Error) => {
    say(place, `The run could not be shown: ${error.message}`);
    offerForm(place);
  });
} else if (place) {
  offerForm(place);
}
