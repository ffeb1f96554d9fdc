import type { AuditEntry } from "#shared/contracts/operator/audit.ts";
import type { OperatorSettings, Overview } from "#shared/contracts/operator/overview.ts";
import type { Ban, ReaderReport } from "#shared/contracts/operator/report.ts";
import { callApi } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { offerSession } from "../session.tsx";
import { ModerationView } from "./ModerationView.tsx";
import { OverviewView } from "./OverviewView.tsx";
import { AuditView, SettingsView } from "./RecordsView.tsx";

/** Entries shown of each list; the API has the rest. */
const LISTED = 20;

const form = findPart<HTMLFormElement>(document, "[data-operator]");
const place = findPart(document, "[data-overview]");

const given = (name: string) => String(new FormData(form).get(name) ?? "").trim();
const get = async <T,>(path: string): Promise<T> =>
  (await callApi<T>(`/v1/operator/${path}`, { key: given("key") })).value;

async function load(): Promise<void> {
  const minutes = encodeURIComponent(given("stuckMinutes"));
  const [overview, open, decided, bans, audit, settings] = await Promise.all([
    get<Overview>(`overview?stuckMinutes=${minutes}`),
    get<{ reports: ReaderReport[] }>(`reports?limit=${LISTED}`),
    get<{ reports: ReaderReport[] }>(`reports?state=hidden&limit=${LISTED}`),
    get<{ bans: Ban[] }>(`bans?limit=${LISTED}`),
    get<{ entries: AuditEntry[] }>(`audit?limit=${LISTED}`),
    get<OperatorSettings>("settings"),
  ]);
  const reports = [...open.reports, ...decided.reports];
  const parts = [
    <OverviewView overview={overview} />,
    <ModerationView reports={reports} bans={bans.bans} />,
    <AuditView entries={audit.entries} />,
    <SettingsView settings={settings.settings} />,
  ];
  place.innerHTML = parts.map(String).join("");
}

void offerSession();
let isBusy = false;

/** Performs an action, and shows its progress and result. */
async function step(doing: string, act: () => Promise<unknown>): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  say(doing);
  try {
    await act();
    say(null);
  } catch (error) {
    say(`That failed: ${(error as Error).message}.`);
  } finally {
    isBusy = false;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void step("Loading…", load);
});

/** Forms of the moderation queue: the pressed button determines the action. */
place.addEventListener("submit", (event) => {
  event.preventDefault();
  const target = event.target as HTMLFormElement;
  const action = (event.submitter as HTMLButtonElement | null)?.value ?? "";
  const reason = String(new FormData(target).get("reason") ?? "").trim();
  const key = given("key");
  const { report, ban } = target.dataset;
  void step("Saving…", async () => {
    if (report !== undefined) {
      const path = `/v1/operator/reports/${encodeURIComponent(report)}/decision`;
      await callApi(path, { method: "POST", body: { action, reason }, key });
    } else if (ban !== undefined) {
      const query = new URLSearchParams({ reason });
      const path = `/v1/operator/bans/${encodeURIComponent(ban)}?${query}`;
      await callApi(path, { method: "DELETE", key });
    }
    await load();
  });
});
