import type { Comparison } from "../../../shared/contracts/boards/comparison.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Run, SampleRow } from "../../../shared/contracts/run.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { readMargins, withMargins } from "../../../shared/measures/comparison/margin-tests.ts";
import { aBoard } from "../fixtures/fixture-boards.ts";
import { aComparison, type MadeRun } from "../fixtures/fixture-comparisons.ts";
import { aFinishedRun, aModel, versions } from "../fixtures/fixture-runs.ts";
import { type Behaviour, keptAnswers, stockRows } from "../fixtures/scored-summary.ts";
import { problem, type StubRoutes, suitesAnswer } from "./stub-api.ts";

/** A stub API with runs that pages can compare. */
export interface CompareApi {
  made: MadeRun[];
  board: Leaderboard;
  /** Computes the comparison of these runs, once per list of ids. */
  comparisonOf: (ids: readonly string[]) => Comparison;
  routes: StubRoutes;
}

/** The fourth name is markup, and the fifth is far too long. */
const names = [
  "Extract Large",
  "Parser 7B",
  "Sim Careful",
  `"><img src=x onerror=alert(1)>`,
  "A model whose name goes on and on so that no table and no chart has the room for all of it",
];

function madeRun(suite: Suite, name: string, i: number): MadeRun {
  const behaviour: Behaviour = {
    quality: 0.97 - 0.05 * i,
    lostRate: 0,
    seed: i + 1,
    prices: { inputPerMillion: 4 / (i + 1), outputPerMillion: 10 / (i + 1) },
  };
  const model = aModel(`acme/m-${i}`, name, { simulated: i === 2 });
  const sent = { kind: "self-reported", endpointHost: null } as const;
  const more: Partial<Run> = i === 1 ? { provenance: sent } : {};
  return { run: aFinishedRun(suite, `run_${i}`, model, behaviour, more), behaviour };
}

/** `count` models on one board, and the run `run_unlisted`, which is on no board. */
export function compareApi(suite: Suite, count = 5): CompareApi {
  const made = Array.from({ length: count }, (_, i) =>
    madeRun(suite, names[i] ?? `Model ${i + 1}`, i),
  );
  const unlisted = madeRun(suite, "Unlisted", count);
  unlisted.run = { ...unlisted.run, id: "run_unlisted", visibility: "unlisted" };
  const all = [...made, unlisted];
  const byId = new Map(all.map((one) => [one.run.id, one]));
  const board = aBoard(
    "main",
    made.map(({ run }) => run),
    { structuredOutput: "none" },
  );
  const dataset = { suite: suite.id, name: "stock", version: versions.stock };
  const listed = { ...dataset, samples: stockRows.length, malformed: [], warnings: [] };
  const rest = { visibility: "public", createdAt: "2026-11-01T00:00:00Z" };
  const compared = new Map<string, Comparison>();
  const comparisonOf = (ids: readonly string[]) => {
    const runs = ids.flatMap((id) => byId.get(id) ?? []);
    const comparison = compared.get(ids.join()) ?? aComparison(suite, runs);
    compared.set(ids.join(), comparison);
    return comparison;
  };
  const routes: StubRoutes = {
    "GET /v1/suites": suitesAnswer,
    "GET /v1/datasets": ({ query }) => ({
      body: { datasets: query.get("suite") === suite.id ? [{ ...listed, ...rest }] : [] },
    }),
    "GET /v1/leaderboard": ({ query }) =>
      query.get("dataset") === "stock" && query.get("suite") === suite.id
        ? { body: board }
        : problem(404, "no finished run is on a board yet"),
    "GET /v1/runs/*": (_, [id = ""]) => {
      const one = byId.get(id);
      return one ? { body: one.run } : problem(404, `there is no run "${id}"`);
    },
    "GET /v1/runs/*/samples": (_, [id = ""]) => {
      const one = byId.get(id);
      return { body: { samples: one ? rowsOf(suite, one) : [], nextCursor: null } };
    },
    "GET /v1/compare": ({ query }) => {
      const ids = query.get("runs")?.split(",") ?? [];
      const missing = ids.find((id) => !byId.has(id));
      if (missing) return problem(404, `there is no run "${missing}"`);
      const margins = readMargins(query.get("margin") ?? "");
      const found = withMargins(
        comparisonOf(ids),
        margins.ok ? margins.value : new Map(),
        suite.metrics,
      );
      return found.ok ? { body: found.value } : problem(422, found.error);
    },
  };
  return { made, board, comparisonOf, routes };
}

const rowsOf = (suite: Suite, { behaviour }: MadeRun): SampleRow[] =>
  keptAnswers(suite, stockRows, behaviour).map(({ seq, id, answer, score }) => ({
    seq,
    id,
    status: score.status,
    covered: score.covered,
    score: score.score,
    latencyMs: answer.latencyMs,
    inputTokens: answer.inputTokens,
    outputTokens: answer.outputTokens,
    requests: 1,
    attempts: 1,
    queueWaitMs: null,
    retryWaitMs: null,
    errorClass: null,
  }));
