import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../shared/contracts/operator/audit.ts";
import type { Overview } from "../../shared/contracts/operator/overview.ts";
import type { ReaderReport } from "../../shared/contracts/operator/report.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const at = "2026-11-21T12:00:00.000Z";
const hostile = '"><img src=x onerror=alert(1)>';
const lanes = { working: 3, seated: 1, slots: 15 };
const overview: Overview = {
  at,
  alerts: [{ kind: "spending", subject: "2026-11-21", message: "Judges cost 11 USD.", since: at }],
  reports: 1,
  runs: {
    queued: 200,
    running: 2,
    paused: 0,
    mostCounted: 200,
    stuckMinutes: 15,
    listed: [
      {
        run: "run_1",
        owner: "acme",
        model: hostile,
        suite: "extraction",
        status: "running",
        phase: "answering",
        activity: "stuck",
        reason: null,
        total: 1_000,
        done: 400,
        failed: 7,
        createdAt: at,
        leasedUntil: at,
        waitsUntil: null,
        lanes: 0,
        slots: 0,
      },
      {
        run: "run_2",
        owner: "other",
        model: "other/model",
        suite: "memory",
        status: "running",
        phase: "judging",
        activity: "waiting",
        reason: null,
        total: 10,
        done: 0,
        failed: 0,
        createdAt: at,
        leasedUntil: null,
        waitsUntil: at,
        lanes: 0,
        slots: 0,
      },
    ],
  },
  lanes: { max: 48, answering: lanes, judging: { working: 0, seated: 0, slots: 0 } },
  queues: { deliveries: 4, oldestDelivery: at, unpublished: 2 },
  endpoints: [
    {
      origin: "https://api.acme.example",
      runs: 3,
      active: 1,
      failedRuns: 1,
      done: 200,
      failed: 50,
      classes: { timeout: 30, rate_limited: 20 },
      lookedAt: 100,
    },
  ],
  endpointHours: 24,
  spending: {
    days: 7,
    since: "2026-11-15",
    byAccount: [
      { name: "acme", usd: 12.5, requests: 900, inputTokens: 1e6, outputTokens: 5e4, unpriced: 0 },
    ],
    byJudge: [
      {
        name: "openai:gpt-6",
        usd: 12.5,
        requests: 900,
        inputTokens: 1e6,
        outputTokens: 5e4,
        unpriced: 3,
      },
    ],
  },
  database: {
    bytes: 3.2e9,
    maxBytes: 1e10,
    bytesPerDay: 1e7,
    fullOn: "2028-10-01",
    sizes: [{ day: "2026-11-21", bytes: 3.2e9 }],
  },
  judges: [
    {
      provider: "openai",
      model: "gpt-6",
      ends: "2026-12-24",
      replacement: null,
      listed: true,
      checkedAt: at,
      warning: "Judge gpt-6 ends on 2026-12-24.",
    },
  ],
  canaries: [
    {
      suite: "memory",
      scoringVersion: "a",
      simulated: false,
      canaries: [
        {
          id: "empty",
          label: "Empty answer",
          description: "Nothing",
          bound: { most: 0.1 },
          run: "run_c",
          headline: { value: 0.3, interval: null, n: 30, coverage: 1 },
          verdict: "broken",
          finishedAt: at,
        },
      ],
    },
  ],
  drifts: [],
};
const report: ReaderReport = {
  id: "rep_1",
  at,
  run: { id: "run_1", owner: "acme", model: "acme/large", hiddenReason: null },
  kind: "copied",
  message: `See s0 ${hostile}`,
  reporter: null,
  state: "open",
  decidedAt: null,
  decidedBy: null,
  reason: null,
};
const entry: AuditEntry = {
  id: "act_1",
  at,
  actor: "operator",
  keyId: null,
  action: "run.hide",
  target: "run_9",
  reason: "copied",
  before: { hidden: null },
  after: { hidden: "copied" },
  status: 200,
  requestId: "r",
};
const ban = { owner: "mallory", reason: "spam", by: "operator", at };
const page = (name: string, items: unknown[]) => () => ({
  body: { [name]: items, nextCursor: null },
});

const routes: StubRoutes = {
  "GET /v1/operator/overview": () => ({ body: overview }),
  "GET /v1/operator/reports": ({ query }) => ({
    body: { reports: query.get("state") === "hidden" ? [] : [report], nextCursor: null },
  }),
  "GET /v1/operator/bans": page("bans", [ban]),
  "GET /v1/operator/audit": page("entries", [entry]),
  "GET /v1/operator/settings": () => ({ body: { settings: [{ name: "lanesMax", value: "48" }] } }),
};

const open = apiPages(openSite());
const opened = async (more: StubRoutes = {}) => {
  const made = await open("/operate/", more, routes);
  await made.page.locator("[name=key]").fill("assay_admin");
  await made.page.getByRole("button", { name: "Show" }).click();
  return made;
};

describe("/operate/", () => {
  it("shows the state of the service with units", async () => {
    const { page: shown, asked, complaints } = await opened();
    await shown.locator("#runs").waitFor();
    const text = await shownText(shown, "[data-overview]");
    for (const part of [
      "Judges cost 11 USD. Since 21 Nov 2026, 12:00 UTC.",
      "Open reports 1",
      "Queued 200 or more",
      "Answering 3 of 48 lanes, 15 requests",
      "3,200 MB of 10,000 MB",
      "Full on 1 Oct 2028",
      `${hostile} acme extraction stuck 400 of 1,000 7 0`,
      "other/model other memory waits for its endpoint until 21 Nov 2026",
      "api.acme.example 3 1 200 50 25.0%",
      "timeout 30, rate limited 20 (of 100 samples)",
      "Judge gpt-6 ends on 2026-12-24.",
      "Empty answer memory 0.300 broken",
      "No drift is flagged.",
      "operator run.hide run_9 copied",
      "lanesMax 48",
    ]) {
      expect(text).toContain(part);
    }
    expect(asked.every(({ headers }) => headers["authorization"] === "Bearer assay_admin")).toBe(
      true,
    );
    expect(await flawsOfOpenPage(shown, 390, 1280)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("sends a decision about a report with its reason, and lifts a ban", async () => {
    const { page: shown, asked } = await opened({
      "POST /v1/operator/reports/*/decision": () => ({ body: report }),
      "DELETE /v1/operator/bans/*": () => ({ body: ban }),
    });
    const form = shown.locator("[data-report=rep_1]");
    await form.getByLabel("Reason").fill("checked");
    await form.getByRole("button", { name: "Hide the run" }).click();
    const hidden = () => asked.find(({ method }) => method === "POST")?.body;
    await expect.poll(hidden).toEqual({ action: "hide", reason: "checked" });
    await shown.locator("[data-state][hidden]").waitFor({ state: "attached" });
    await shown.locator("[data-ban=mallory]").getByLabel("Reason").fill("appeal");
    await shown.getByRole("button", { name: "Lift the ban" }).click();
    const lifted = () => {
      const sent = asked.find(({ method }) => method === "DELETE");
      return [sent?.path, sent?.query.get("reason")];
    };
    await expect.poll(lifted).toEqual(["/v1/operator/bans/mallory", "appeal"]);
  });

  it("shows a text for each empty list, and the API's error", async () => {
    const none: StubRoutes = {
      "GET /v1/operator/overview": () => ({
        body: {
          ...overview,
          alerts: [],
          runs: { ...overview.runs, listed: [] },
          endpoints: [],
          spending: { ...overview.spending, byAccount: [], byJudge: [] },
          canaries: [],
        },
      }),
      "GET /v1/operator/reports": page("reports", []),
      "GET /v1/operator/bans": page("bans", []),
      "GET /v1/operator/audit": page("entries", []),
    };
    const { page: shown } = await opened(none);
    await shown.locator("#runs").waitFor();
    const text = await shownText(shown, "[data-overview]");
    for (const part of [
      "No alert is open.",
      "No run is active.",
      "No endpoint was called.",
      "Nothing was spent.",
      "No report is open.",
      "No account is banned.",
      "No action is recorded.",
    ]) {
      expect(text).toContain(part);
    }
    expect(await flawsOfOpenPage(shown, 390, 1280)).toEqual([]);
    const { page: refused } = await opened({
      "GET /v1/operator/overview": () => problem(403, "this needs the scope admin"),
    });
    await refused.getByText("That failed: this needs the scope admin.").waitFor();
  });
});

it("/run/report/ sends a report without an account", async () => {
  const { page: shown, asked } = await open("/run/report/?id=run_1", {
    "POST /v1/reports": () => ({ status: 201, body: { id: "rep_1" } }),
  });
  await shown.getByLabel("What is wrong").selectOption("copied");
  await shown.getByLabel("Details").fill("See s0");
  await shown.getByRole("button", { name: "Report" }).click();
  await shown.getByText("The operator has your report. Thank you!").waitFor();
  expect(asked.map(({ body }) => body)).toEqual([
    { run: "run_1", kind: "copied", message: "See s0" },
  ]);
});
