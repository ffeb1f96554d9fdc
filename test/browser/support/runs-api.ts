import type { Run, SampleRow } from "../../../shared/contracts/run.ts";
import type { RunReport, SampleReport } from "../../../shared/contracts/run-report.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { runReport } from "../../../shared/measures/report/run/run-report.ts";
import { sampleBlocks } from "../../../shared/measures/report/run/sample-blocks.ts";
import { aFinishedRun, aModel, aRun } from "../fixtures/fixture-runs.ts";
import { type Behaviour, keptAnswers, stockRows } from "../fixtures/scored-summary.ts";
import { highlightsOfAnswers, resultsOfAnswers } from "./stored-answers.ts";
import { problem, type StubRoutes } from "./stub-api.ts";

/** Runs that pages can draw from the API: a finished one, one whose request failed, and one under way. */
export interface RunsApi {
  finished: Run;
  rows: SampleRow[];
  report: RunReport;
  underWay: Run;
  routes: StubRoutes;
}

const behaviour: Behaviour = { quality: 0.9, lostRate: 0.1, seed: 3 };
const pageSize = 50;

/** A finished run `run_done` with all of its samples, and `run_new` that is under way. */
export function runsApi(suite: Suite): RunsApi {
  const answers = keptAnswers(suite, stockRows, behaviour);
  const results = resultsOfAnswers(answers);
  const model = aModel("acme/new", "Acme New", { simulated: true });
  const finished = aFinishedRun(suite, "run_done", model, behaviour, { visibility: "unlisted" });
  const underWay = aRun(suite, "run_new", model, {
    status: "running",
    startedAt: "2026-11-20T09:00:01Z",
    progress: { total: stockRows.length, done: 7, failed: 0 },
  });
  const rows = results.map(({ sample: _, answer: __, detail: ___, ...row }) => row);
  const report = runReport(suite, finished, highlightsOfAnswers(suite, answers).samples);
  const sampleReport = (id: string): SampleReport | null => {
    const at = results.findIndex((one) => one.id === id);
    const [row, result] = [rows[at], results[at]];
    if (!row || !result) return null;
    return { sample: { ...row, repeat: 0 }, blocks: sampleBlocks(suite, finished, result) };
  };
  const routes: StubRoutes = {
    "GET /v1/runs/*/report": (_, [id]) => {
      if (id === finished.id) return { body: report };
      if (id === underWay.id) return { body: runReport(suite, underWay, []) };
      return problem(404, `there is no run "${id}"`);
    },
    "GET /v1/runs/*/samples": ({ query }) => {
      const sorted = query.get("order") === "score" ? rows.toSorted(byScore) : rows;
      const wanted = sorted.filter(
        ({ covered }) => query.get("covered") !== "false" || covered === false,
      );
      const from = Number(query.get("cursor") ?? 0);
      const to = from + pageSize;
      const nextCursor = to < wanted.length ? `${to}` : null;
      return { body: { samples: wanted.slice(from, to), nextCursor } };
    },
    "GET /v1/runs/*/samples/*/report": (_, [, id = ""]) => {
      const shown = sampleReport(id);
      return shown ? { body: shown } : problem(404, `the run has no sample "${id}"`);
    },
  };
  return { finished, rows, report, underWay, routes };
}

const byScore = (a: SampleRow, b: SampleRow) => (a.score ?? 0) - (b.score ?? 0);
