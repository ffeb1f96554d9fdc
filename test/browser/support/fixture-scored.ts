import type { Run, RunModel } from "../../../shared/contracts/run.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aBench, askAll } from "../../simulator/support/evaluate.ts";
import type { Fixture } from "./fixture.ts";
import { aBoard } from "./fixture-boards.ts";
import { aModel, aRun, listedRun } from "./fixture-runs.ts";
import { highlightsOfAnswers, type KeptAnswer, pointsOfAnswers } from "./kept-answers.ts";

/** Suites that the usual fixture has no run of otherwise; one stays without a board. */
const ids = ["slots", "tools"];
/** Names at the simulator; one also answers on the device. */
const cast = [
  ["sim-medium", "acme/steady", "Steady"],
  ["sim-tiny?source=on-device", "openlab/tiny-2b", "Tiny 2B"],
] as const;
const prices = { inputPerMillion: 1, outputPerMillion: 2 };

/** A finished run of answers, added up by its suite as the service does. */
export function runOfAnswers(
  suite: Suite,
  id: string,
  model: RunModel,
  answers: readonly KeptAnswer[],
  more: Partial<Run>,
): Run {
  const options = suite.optionsSchema.parse({});
  const { empty, add, finish } = suite.aggregate;
  const state = answers.reduce(
    (sum, { row: _, answer, ...scored }) => add(sum, { ...scored, call: callOf(answer) }),
    empty(),
  );
  return aRun(suite, id, model, {
    ...finish(state, { runId: id, options, prices, wallMs: 42_000 }),
    points: pointsOfAnswers(suite, answers),
    prices,
    status: "finished",
    progress: { total: answers.length, done: answers.length, failed: 0 },
    startedAt: "2026-11-20T09:00:01Z",
    finishedAt: "2026-11-20T09:00:43Z",
    ...more,
  });
}

function answersOf(suite: Suite, model: string): KeptAnswer[] {
  const bench = aBench(suite);
  const options = suite.optionsSchema.parse({});
  return askAll(bench, bench.simulation(1), model).map((answer, seq) => {
    const sample = bench.samples[seq];
    const { id, tags } = suite.sampleHead(sample);
    return { seq, id, tags, row: sample, answer, score: suite.score(sample, answer, options) };
  });
}

/** The fixture with boards of two more suites, two models each. */
export function withScored(usual: Fixture): Fixture {
  return ids.reduce((fixture, id, place) => {
    const suite = suiteById(id);
    if (!suite) throw new Error(`there is no suite ${id}`);
    return withSuite(fixture, suite, String(place + 2).repeat(64));
  }, usual);
}

function withSuite(usual: Fixture, suite: Suite, version: string): Fixture {
  const made = cast.map(([model, slug, name], i) => {
    const answers = answersOf(suite, model);
    const dataset = { name: "stock", version, samples: answers.length };
    const run = runOfAnswers(suite, `run-${suite.id}-${i}`, aModel(slug, name), answers, {
      dataset,
    });
    return { run, dataset, highlights: highlightsOfAnswers(suite, answers) };
  });
  const runs = made.map(({ run }) => run);
  const { snapshot } = usual;
  return {
    ...usual,
    runs: [...runs, ...usual.runs],
    highlights: {
      ...usual.highlights,
      ...Object.fromEntries(made.map(({ run, highlights }) => [run.id, highlights])),
    },
    snapshot: {
      ...snapshot,
      boards: [...snapshot.boards, aBoard(`${suite.id}-main`, runs, {})],
      datasets: [
        ...snapshot.datasets,
        {
          suite: suite.id,
          visibility: "public" as const,
          createdAt: "2026-11-01T00:00:00Z",
          ...made[0]!.dataset,
        },
      ],
      runs: [...runs.map(listedRun), ...snapshot.runs],
    },
  };
}
