import type { RunReport } from "#shared/contracts/run-report.ts";
import { paths } from "../../data/paths.ts";
import { runReportHtml } from "../../report/RunReport.tsx";
import { onSite } from "../../report/shown-run.ts";
import { apiOrigin } from "../api.ts";
import { reveal } from "../contents/reveal.ts";
import { offerCopies } from "../copy/copy-button.ts";
import { findPart } from "../find-part.ts";
import { offerForm, say } from "../page-state.ts";
import { followReport } from "./follow-report.ts";

const intro = findPart(document, "[data-intro]");
const place = findPart(document, "[data-report]");
// A run that has no page of its own has this page at its address.
const ofPage = /^\/runs\/([^/]+)\//.exec(location.pathname)?.[1];
const id = ofPage ?? new URLSearchParams(location.search).get("id")?.trim();

function draw(report: RunReport): void {
  intro.hidden = true;
  const url = new URL(`${paths.viewer}?id=${encodeURIComponent(report.run.id)}`, location.href)
    .href;
  const where = { ...onSite, apiOrigin: apiOrigin(), sweep: null, dataset: null, url };
  place.innerHTML = runReportHtml({ ...report, place: where });
  offerCopies(place);
  reveal(document, location.hash);
  document.title = `${report.run.model.name} on ${report.suite.label} · Assay`;
}

async function show(run: string): Promise<void> {
  say("Loading the run…");
  await followReport(run, {
    onReport: draw,
    onTrouble: (text) => say(text && `This page may be outdated: ${text}; retrying.`),
    wait: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
  }).catch((error: Error) => {
    say(`The run could not be shown: ${error.message}.`);
    offerForm(run);
  });
}

if (id) await show(id);
else offerForm("");
