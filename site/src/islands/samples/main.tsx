import type { SamplePage } from "#shared/contracts/run.ts";
import type { RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import { getJson } from "../api.ts";
import { SamplesHead, SamplesPage, SampleView } from "./SampleViews.tsx";
import { listPath, readQuery, type SampleQuery, samplePath, withinReach } from "./sample-query.ts";

async function view(asked: SampleQuery): Promise<string> {
  const report = await getJson<RunReport>(`/v1/runs/${encodeURIComponent(asked.run)}/report`);
  const query = withinReach(asked, report.run.progress.total);
  const head = <SamplesHead report={report} query={query} />;
  if (query.sample !== null) {
    const shown = await getJson<SampleReport>(samplePath(query));
    return `${head}${<SampleView report={report} shown={shown} query={query} />}`;
  }
  const page = await getJson<SamplePage>(listPath(query));
  return `${head}${<SamplesPage report={report} page={page} query={query} />}`;
}

async function show(root: HTMLElement, query: SampleQuery): Promise<void> {
  const state = root.querySelector("[data-state]");
  if (state) state.textContent = "Loading the samples…";
  root.innerHTML = await view(query).catch((error: Error) =>
    String(
      <p class="notice notice-warn" role="alert">
        The samples could not be shown: {error.message}
      </p>,
    ),
  );
}

const root = document.querySelector<HTMLElement>("#samples");
const query = readQuery(location.search);
if (root && query) await show(root, query);
