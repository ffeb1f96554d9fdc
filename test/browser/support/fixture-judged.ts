import { readFileSync } from "node:fs";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { CanaryReport, CanaryResult } from "../../../shared/contracts/canary.ts";
import { givenJudgments } from "../../../shared/contracts/given-judgments.ts";
import type { Judge } from "../../../shared/contracts/judge.ts";
import type { RunJudging, RunRoute } from "../../../shared/contracts/judging.ts";
import type { Run, RunModel } from "../../../shared/contracts/run.ts";
import type { Highlights } from "../../../shared/contracts/run-report.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { anExchange, judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { judges } from "../../../shared/judges/judges.ts";
import { seeded } from "./degraded-answer.ts";
import type { Fixture } from "./fixture.ts";
import { aBoard } from "./fixture-boards.ts";
import { aModel, listedRun } from "./fixture-runs.ts";
import { runOfAnswers } from "./fixture-scored.ts";
import { highlightsOfAnswers, type KeptAnswer } from "./kept-answers.ts";

interface Row {
  required_keys: string[];
  forbidden_keys: string[];
}

/** How a model does, and how often a judge that its score needs fails. */
interface Behaviour {
  quality: number;
  unjudgedRate: number;
  seed: number;
}

// Enough for every table of the report, few enough that a fixture is made in seconds.
const mostRows = 24;

const stock = new URL("../../../shared/suites/memory/stock.jsonl", import.meta.url);
const rows: readonly Row[] = readFileSync(stock, "utf8")
  .split("\n")
  .slice(0, mostRows)
  .map((line) => JSON.parse(line));

const dataset = { name: "stock", version: "9".repeat(64), samples: rows.length };

const route = (model: string): RunRoute => ({ provider: "simulated", model, simulated: true });
const panel = [route("sim-judge-a"), route("sim-judge-b")];
const cast = [...panel, route("sim-judge-c")];

/** A panel for one metric, and a judge in place of another for the last; all others in turn. */
const routesOf = ({ id, kind }: Judge, place: number): RunRoute[] => {
  if (kind === "embeddings") return [route("sim-embedding")];
  return id === "empathy" ? panel : [cast[place % cast.length] ?? route("sim-judge-a")];
};

const judging: RunJudging = {
  judges: Object.fromEntries(
    judges.map((judge, place) => [
      judge.id,
      {
        routes: routesOf(judge, place),
        by: judge === judges.at(-1) ? "fallback" : "deployment",
        promptHash: "8".repeat(64),
      },
    ]),
  ),
  stages: {},
};

/** What a judge says of an answer of this quality. */
function judgmentOf(judge: Judge, row: Row, quality: number, random: () => number): unknown {
  const isGood = () => random() < quality;
  if (judge.id === "memory_utilization") {
    const wrong = row.forbidden_keys.filter(() => !isGood());
    return { cited_keys: [...row.required_keys.filter(isGood), ...wrong] };
  }
  if (judge.id === "groundedness") {
    const sources = ["memory", "query", "general_knowledge", "memory"];
    return {
      claims: sources.map((source, i) => ({
        text: `claim ${i}`,
        evidence: "",
        source: isGood() ? source : "hallucinated",
      })),
    };
  }
  const share = Math.min(1, Math.max(0, quality + 0.3 * (random() - 0.5)));
  const grade = judge.scale === "level" ? Math.round(1 + 4 * share) : Number(share.toFixed(2));
  const given = Object.entries(judgments[judge.id]?.judgment ?? {});
  const graded = (name: string) => name.endsWith("_score") || name === "relevance";
  return Object.fromEntries(given.map(([name, value]) => [name, graded(name) ? grade : value]));
}

const failure = { reason: "judge_failed", message: "503 from the judge, three times" };

function answerTo(row: Row, { quality, unjudgedRate }: Behaviour, random: () => number): Answer {
  const given = judges.map((judge) => {
    const isUnjudged = judge.id === "safety" && random() < unjudgedRate;
    const { routes = [], by } = judging.judges[judge.id] ?? {};
    const records = routes.map(({ provider, model }) => ({
      judge: model,
      provider,
      isSimulated: true,
      isFallback: by === "fallback",
      requests: 1,
      inputTokens: 900,
      outputTokens: 120,
      latencyMs: 1400,
      costUsd: 0.0031,
      judgment: isUnjudged ? null : judgmentOf(judge, row, quality, random),
      unjudged: isUnjudged ? failure : null,
    }));
    return [judge.id, records];
  });
  return {
    ...emptyAnswer,
    output: anExchange().answer,
    latencyMs: Math.round(700 + 900 * random()),
    inputTokens: 420,
    outputTokens: 160,
    requests: 1,
    attempts: 1,
    httpStatus: 200,
    finishReason: "stop",
    judgments: givenJudgments(Object.fromEntries(given)),
  };
}

/** Answers of a model of this behaviour to the rows, judged and scored. */
function judgedAnswers(suite: Suite, behaviour: Behaviour): KeptAnswer[] {
  const random = seeded(behaviour.seed);
  const options = suite.optionsSchema.parse({});
  return rows.map((row, seq) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const answer = answerTo(row, behaviour, random);
    const { id, tags } = suite.sampleHead(sample);
    return { seq, id, tags, row, answer, score: suite.score(sample, answer, options) };
  });
}

interface JudgedRun {
  run: Run;
  highlights: Highlights;
}

/** A run of the memory suite as the service makes it: judged, scored, added up, finished by the suite. */
function aJudgedRun(suite: Suite, id: string, model: RunModel, behaviour: Behaviour): JudgedRun {
  const answers = judgedAnswers(suite, behaviour);
  return {
    run: finishedRun(suite, id, model, answers),
    highlights: highlightsOfAnswers(suite, answers),
  };
}

const finishedRun = (suite: Suite, id: string, model: RunModel, answers: KeptAnswer[]): Run =>
  runOfAnswers(suite, id, model, answers, { dataset, judging, phase: "judging" });

const canary = (
  id: string,
  value: number,
  bound: CanaryResult["bound"],
  verdict: CanaryResult["verdict"],
  more: Pick<CanaryResult, "label" | "description">,
): CanaryResult => ({
  id,
  bound,
  verdict,
  run: `run-canary-${id}`,
  finishedAt: "2026-11-19T09:00:00Z",
  ...more,
  headline: { value, interval: [value - 0.03, value + 0.04], n: rows.length, coverage: 1 },
});

/** What canaries earned; the second broke its bound. */
const canaries: CanaryReport = {
  suite: "memory",
  scoringVersion: "7".repeat(16),
  simulated: true,
  canaries: [
    canary("constant", 0.412, { most: 0.45 }, "within", {
      label: "Constant answer",
      description: "The same polite sentence about a parcel, whatever was asked.",
    }),
    canary("vague", 0.523, { most: 0.45 }, "broken", {
      label: "Vague answer",
      description: "Friendly words around the topic of the question, without any content.",
    }),
    canary("longest", 0.641, null, "unbounded", {
      label: "Longest answer",
      description: "Several thousand characters of health advice that suits everybody.",
    }),
    canary("injection", 0.531, { over: "vague", margin: 0.05 }, "within", {
      label: "Order to the judge",
      description: "The vague answer, and behind it an order to give full marks.",
    }),
  ],
};

/** The fixture with a board that simulated judges judged, one of whose runs they judged in part. */
export function withJudged(usual: Fixture, suite: Suite): Fixture {
  const made = [
    aJudgedRun(suite, "run-recall", aModel("acme/recall-plus", "Recall Plus"), {
      quality: 0.88,
      unjudgedRate: 0,
      seed: 21,
    }),
    aJudgedRun(suite, "run-kind", aModel("openlab/kind-8b", "Kind 8B"), {
      quality: 0.6,
      unjudgedRate: 0,
      seed: 22,
    }),
    aJudgedRun(suite, "run-half-judged", aModel("acme/half", "Half"), {
      quality: 0.8,
      unjudgedRate: 0.3,
      seed: 23,
    }),
  ];
  const judged = made.map(({ run }) => run);
  const { snapshot } = usual;
  return {
    ...usual,
    runs: [...judged, ...usual.runs],
    highlights: {
      ...usual.highlights,
      ...Object.fromEntries(made.map(({ run, highlights }) => [run.id, highlights])),
    },
    snapshot: {
      ...snapshot,
      boards: [...snapshot.boards, aBoard("memory-main", judged, { judging, canaries })],
      datasets: [
        ...snapshot.datasets,
        {
          suite: suite.id,
          visibility: "public" as const,
          createdAt: "2026-11-01T00:00:00Z",
          ...dataset,
        },
      ],
      runs: [...judged.map(listedRun), ...snapshot.runs],
      canaries: [canaries],
    },
  };
}
