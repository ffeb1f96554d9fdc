import type { RunReport } from "#shared/contracts/run-report.ts";
import { paths } from "../../data/paths.ts";
import { runReportHtml } from "../../report/RunReport.tsx";
import { onSite, type RunStanding } from "../../report/shown-run.ts";
import { apiOrigin } from "../api.ts";
import { reveal } from "../contents/reveal.ts";
import { offerCopies } from "../copy/copy-button.ts";
import { findPart } from "../find-part.ts";
import { isSignedIn, keptKey, takeShare } from "../page-access.ts";
import { offerForm, say } from "../page-state.ts";
import { hasEnded } from "../submit/run-progress.ts";
import { followReport } from "./follow-report.ts";
import { loadStanding } from "./load-standing.ts";

takeShare();
const intro = findPart(document, "[data-intro]");
const place = findPart(document, "[data-report]");
// Runs without their own page are shown by this page at their address.
const ofPage = /^\/runs\/([^/]+)\//.exec(location.pathname)?.[1];
const id = ofPage ?? new URLSearchParams(location.search).get("id")?.trim();

function htmlOf(report: RunReport, standing: RunStanding | null): string {
  const url = new URL(`${paths.viewer}?id=${encodeURIComponent(report.run.id)}`, location.href)
    .href;
  const where = { ...onSite, apiOrigin: apiOrigin(), sweep: null, dataset: null, url };
  return runReportHtml({ ...report, place: { ...where, standing } });
}

/** The shown report, and whether it was shown in an earlier state. */
let shown: RunReport | null = null;
let wasUnderWay = false;

function draw(report: RunReport): void {
  intro.hidden = true;
  shown = report;
  place.innerHTML = htmlOf(report, null);
  offerCopies(place);
  reveal(document, location.hash);
  document.title = `${report.run.model.name} on ${report.suite.label} · Assay`;
  if (!hasEnded(report.run)) wasUnderWay = true;
  else {
    void addStanding(report);
    // Readers who can't change the run, or whose session can't be read now, only see the report.
    if (isSignedIn() || keptKey() !== null) {
      import("./visibility.tsx")
        .then(({ offerVisibility }) =>
          offerVisibility(findPart(document, "[data-visibility]"), report.run),
        )
        .catch(() => {});
    }
  }
}

const wait = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));

/** Draws the head again with rank and verdict; readers keep their position in the rest. */
async function addStanding(report: RunReport): Promise<void> {
  const standing = await loadStanding(report, { looks: wasUnderWay ? 5 : 1, wait });
  if (standing === null || shown !== report) return;
  const drawn = document.createElement("template");
  drawn.innerHTML = htmlOf(report, standing);
  const head = findPart(drawn.content, ".run-head");
  offerCopies(head);
  findPart(place, ".run-head").replaceWith(head);
}

async function show(run: string): Promise<void> {
  say("Loading the run…");
  await followReport(run, {
    onReport: draw,
    onTrouble: (text) => say(text && `This page may be outdated: ${text}; retrying.`),
    wait,
  }).catch((error: Error) => {
    say(`The run could not be shown: ${error.message}.`);
    offerForm(run);
  });
}

if (id) await show(id);
else offerForm("");
