import { matchesPattern } from "../../../api/samples/search-samples.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import { isJsonObject, parsedJson } from "../../../shared/contracts/json.ts";
import type { ListedSample, Run, SamplePage } from "../../../shared/contracts/run.ts";
import type { RunReport, SampleReport } from "../../../shared/contracts/run-report.ts";
import type { JudgedPart, Suite } from "../../../shared/contracts/suite.ts";
import { runReport } from "../../../shared/measures/report/run/run-report.ts";
import { sampleBlocks } from "../../../shared/measures/report/run/sample-blocks.ts";
import { shownJson, shownText } from "../../../shared/measures/report/show/shown-text.ts";
import { aBoard } from "../fixtures/fixture-boards.ts";
import { aFinishedRun, aModel, aRun } from "../fixtures/fixture-runs.ts";
import { runOfAnswers } from "../fixtures/fixture-scored.ts";
import { type Behaviour, keptAnswers, stockRows } from "../fixtures/scored-summary.ts";
import {
  highlightsOfAnswers,
  lookedAt,
  resultsOfAnswers,
  type StoredAnswer,
} from "./stored-answers.ts";
import { problem, type StubRoutes } from "./stub-api.ts";

/** A score as the pages show it. */
export const scoreText = (score: number | null | undefined): string =>
  score?.toFixed(3) ?? "no score";

/** A stub API with a finished and a running run. */
export interface RunsApi {
  finished: Run;
  rows: ListedSample[];
  /** The scored parts of all samples of the finished run. */
  parts: JudgedPart[];
  /** Ids of the finished run's samples with a matching part. */
  idsOf: (isIt: (part: JudgedPart) => boolean) => string[];
  report: RunReport;
  underWay: Run;
  /** The board of the finished run and another run, `run_b`. */
  board: Leaderboard;
  routes: StubRoutes;
}

const behaviour: Behaviour = { quality: 0.9, lostRate: 0.1, seed: 3 };

/** Makes the finished run `run_done` with its samples, and the running run `run_new`. */
export function runsApi(suite: Suite): RunsApi {
  const answers = keptAnswers(suite, stockRows, behaviour).map((kept, i) =>
    i % 3 === 0 ? withWrongText(suite, kept) : kept,
  );
  const results = resultsOfAnswers(answers);
  const model = aModel("acme/new", "Acme New", { simulated: true });
  const finished = runOfAnswers(suite, "run_done", model, answers, { visibility: "unlisted" });
  const underWay = aRun(suite, "run_new", model, {
    status: "running",
    startedAt: "2026-11-20T09:00:01Z",
    progress: { total: stockRows.length, done: 7, failed: 0 },
  });
  const other = aFinishedRun(suite, "run_b", aModel("acme/old", "Acme Old"), behaviour);
  const board = aBoard("main", [finished, other]);
  const looked = lookedAt(suite, answers);
  const rows = looked.map(({ row }) => row);
  const report = runReport(suite, finished, highlightsOfAnswers(suite, answers).samples);
  const sampleReport = (id: string): SampleReport | null => {
    const at = results.findIndex((one) => one.id === id);
    const [row, result] = [rows[at], results[at]];
    if (!row || !result) return null;
    const { output } = result.answer;
    return {
      sample: { ...row, repeat: 0 },
      blocks: sampleBlocks(suite, finished, result, { isWhole: true }),
      texts: [
        ...(output === null ? [] : [shownText("Raw answer", output, { isCode: true })]),
        shownJson("Schema", { type: "object" }),
      ],
    };
  };
  const routes: StubRoutes = {
    "GET /v1/leaderboard": () => ({ body: board }),
    "GET /v1/runs/*/report": (_, [id]) => {
      if (id === finished.id) return { body: report };
      if (id === other.id) return { body: runReport(suite, other, []) };
      if (id === underWay.id) return { body: runReport(suite, underWay, []) };
      return problem(404, `there is no run "${id}"`);
    },
    "GET /v1/runs/*/samples": ({ query }, [id]) => ({
      body: samplePage(
        id === underWay.id ? looked.slice(0, underWay.progress.done) : looked,
        query,
      ),
    }),
    "GET /v1/runs/*/samples/*/report": (_, [, id = ""]) => {
      const shown = sampleReport(id);
      return shown ? { body: shown } : problem(404, `the run has no sample "${id}"`);
    },
  };
  const parts = looked.flatMap((one) => one.parts);
  const idsOf = (isIt: (part: JudgedPart) => boolean) =>
    looked.filter((one) => one.parts.some(isIt)).map(({ row }) => row.id);
  return { finished, rows, parts, idsOf, report, underWay, board, routes };
}

/** The answer with a wrong text in the first string field that the schema leaves free. */
function withWrongText(suite: Suite, kept: StoredAnswer): StoredAnswer {
  const parsed = parsedJson(kept.answer.output ?? "");
  const checked = suite.checkSample(kept.row);
  if (!isJsonObject(parsed) || !checked.ok) return kept;
  for (const name of Object.keys(parsed).filter((one) => typeof parsed[one] === "string")) {
    const output = JSON.stringify({ ...parsed, [name]: "Nothing of the kind" });
    const answer = { ...kept.answer, output };
    const score = suite.score(checked.value.sample, answer, suite.optionsSchema.parse({}));
    if ((suite.sampleValues(score)["validity"] ?? 0) === 1) return { ...kept, answer, score };
  }
  return kept;
}

type Looked = ReturnType<typeof lookedAt>;

const byScore = (a: Looked[number], b: Looked[number]) => (a.row.score ?? 0) - (b.row.score ?? 0);

/** Lists samples like the service, with only some of its filters. */
function samplePage(looked: Looked, query: URLSearchParams): SamplePage {
  const [path, verdict, pattern, id] = ["path", "verdict", "pattern", "id"].map((name) =>
    query.get(name),
  );
  const isPart = (part: JudgedPart) =>
    (!path || matchesPattern(path, part.path)) &&
    (!pattern || part.patterns.includes(pattern)) &&
    (!verdict || part.verdict === verdict || (verdict === "wrong" && part.isRight === false));
  const wanted = looked.filter(
    ({ row, parts }) =>
      (query.get("covered") !== "false" || !row.covered) &&
      (!id || row.id === id) &&
      ((!path && !verdict && !pattern) ||
        parts.some(isPart) ||
        (verdict && row.look.fault === verdict)),
  );
  const sorted = query.get("order") === "score" ? wanted.toSorted(byScore) : wanted;
  const isBefore = query.get("direction") === "before";
  const listed = isBefore ? sorted.toReversed() : sorted;
  const cursor = query.get("cursor");
  const from = cursor === null ? 0 : listed.findIndex(({ row }) => `${row.seq}` === cursor) + 1;
  const page = listed.slice(from, from + Number(query.get("limit") ?? 100));
  const isLast = from + page.length >= listed.length;
  const samples = page.map(({ row }) => row);
  return { samples, nextCursor: isLast ? null : `${samples.at(-1)?.seq}` };
}
