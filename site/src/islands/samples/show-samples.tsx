import type { RunReport } from "#shared/contracts/run-report.ts";
import { SampleFilters } from "../../report/samples/SampleFilters.tsx";
import { findPart } from "../find-part.ts";
import { offerForm, say } from "../page-state.ts";
import { followReport } from "../run/follow-report.ts";
import { hasEnded } from "../submit/run-progress.ts";
import { loadOthers, loadPage, loadRival, loadSample } from "./load-samples.ts";
import { OtherAnswers, SamplesHead, SamplesPage, SampleView } from "./SampleViews.tsx";
import {
  filterNames,
  hasFilters,
  listenToFilters,
  type SampleQuery,
  supportedQuery,
} from "./sample-query.ts";

const place = findPart(document, "[data-samples]");

const givenOf = (query: SampleQuery) => ({
  ...Object.fromEntries(filterNames.map((name) => [name, query[name] ?? ""])),
  only: query.only === "all" ? "" : query.only,
  order: query.order ?? "",
});

/** Whether this script has drawn the list with its filters. */
let isListed = false;

async function drawList(report: RunReport, asked: SampleQuery): Promise<void> {
  const isUnderWay = !hasEnded(report.run);
  const query = supportedQuery(asked, { total: report.run.progress.total, isUnderWay });
  const page = await loadPage(query);
  const list = <SamplesPage report={report} page={page} query={asked} isUnderWay={isUnderWay} />;
  // Readers keep their position, and what they are typing, while answers arrive.
  if (isListed) {
    findPart(place, "[data-rows]").innerHTML = String(list);
    return;
  }
  isListed = true;
  place.innerHTML = String(
    <>
      <SamplesHead report={report} isOwnPage={asked.isOwnPage} />
      <SampleFilters
        report={report}
        given={givenOf(asked)}
        isOwnPage={asked.isOwnPage}
        isOpen={hasFilters(asked)}
      />
      <div data-rows>{list}</div>
    </>,
  );
  listenToFilters(place);
}

async function drawSample(report: RunReport, asked: SampleQuery): Promise<void> {
  const isUnderWay = !hasEnded(report.run);
  const query = supportedQuery(asked, { total: report.run.progress.total, isUnderWay });
  const [{ shown, neighbours }, rival] = await Promise.all([loadSample(query), loadRival(query)]);
  place.innerHTML = String(
    <>
      <SamplesHead report={report} isOwnPage={asked.isOwnPage} />
      <SampleView
        report={report}
        shown={shown}
        query={asked}
        neighbours={neighbours}
        rival={rival}
      />
    </>,
  );
  openTabs(place);
  // The rest is drawn into a separate place.
  say(null);
  const others = await loadOthers(report, shown.sample.id);
  findPart(place, "[data-others]").innerHTML = String(
    <OtherAnswers report={report} query={asked} others={others} />,
  );
}

async function draw(report: RunReport, query: SampleQuery): Promise<void> {
  const part = query.sample === null ? "Samples" : `Sample ${query.sample}`;
  document.title = `${part} of ${report.run.model.name} on ${report.suite.label} · Assay`;
  const intro = document.querySelector<HTMLElement>("[data-intro]");
  if (query.sample === null) await drawList(report, query);
  else if (place.querySelector("#sample") === null) await drawSample(report, query);
  if (intro) intro.hidden = true;
  say(null);
}

const wait = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));

/** Loads and draws what the page's address requests; follows an active run until it ends. */
export async function showSamples(query: SampleQuery): Promise<void> {
  say("Loading the samples…");
  const failed = (error: Error) => {
    say(`The samples could not be shown: ${error.message}.`);
    if (!query.isOwnPage) offerForm(query.run);
  };
  await followReport(query.run, {
    onReport: (report) => void draw(report, query).catch(failed),
    onTrouble: (text) => text && say(`This page may be outdated: ${text}; retrying.`),
    wait,
  }).catch(failed);
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Makes tabs selectable by pointer, arrow keys, Home and End. Source: ARIA Authoring Practices, Tabs. */
function openTabs(root: ParentNode): void {
  for (const group of root.querySelectorAll("[data-tabs]")) {
    const tabs = [...group.querySelectorAll<HTMLElement>("[role=tab]")];
    const panels = [...group.querySelectorAll<HTMLElement>("[role=tabpanel]")];
    const choose = (chosen: number) => {
      for (const [i, tab] of tabs.entries()) {
        tab.setAttribute("aria-selected", String(i === chosen));
        tab.tabIndex = i === chosen ? 0 : -1;
      }
      for (const [i, panel] of panels.entries()) panel.hidden = i !== chosen;
    };
    for (const [i, tab] of tabs.entries()) {
      tab.addEventListener("click", () => choose(i));
      tab.addEventListener("keydown", (event) => {
        const ends: Record<string, number> = { Home: 0, End: tabs.length - 1 };
        const step = steps[event.key];
        const next = step === undefined ? ends[event.key] : (i + step + tabs.length) % tabs.length;
        if (next === undefined) return;
        event.preventDefault();
        choose(next);
        tabs[next]?.focus();
      });
    }
  }
}
