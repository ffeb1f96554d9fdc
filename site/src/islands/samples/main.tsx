import type { SamplePage } from "#shared/contracts/run.ts";
import type { RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import { getJson } from "../api.ts";
import { findPart } from "../find-part.ts";
import { offerForm, say } from "../page-state.ts";
import { SamplesHead, SamplesPage, SampleView } from "./SampleViews.tsx";
import {
  listPath,
  readQuery,
  type SampleQuery,
  samplePath,
  supportedQuery,
} from "./sample-query.ts";

const intro = findPart(document, "[data-intro]");
const place = findPart(document, "[data-samples]");

async function view(asked: SampleQuery): Promise<string> {
  const report = await getJson<RunReport>(`/v1/runs/${encodeURIComponent(asked.run)}/report`);
  const query = supportedQuery(asked, report.run.progress.total);
  document.title = `Samples of ${report.run.model.name} on ${report.suite.label} · Assay`;
  const head = <SamplesHead report={report} query={query} />;
  if (query.sample !== null) {
    const shown = await getJson<SampleReport>(samplePath(query));
    return `${head}${<SampleView report={report} shown={shown} query={query} />}`;
  }
  const page = await getJson<SamplePage>(listPath(query));
  return `${head}${<SamplesPage report={report} page={page} query={query} />}`;
}

async function show(query: SampleQuery): Promise<void> {
  say("Loading the samples…");
  try {
    place.innerHTML = await view(query);
    intro.hidden = true;
    say(null);
  } catch (error) {
    say(`The samples could not be shown: ${(error as Error).message}.`);
    offerForm(query.run);
  }
}

const query = readQuery(location.search);
if (query) await show(query);
else offerForm("");
