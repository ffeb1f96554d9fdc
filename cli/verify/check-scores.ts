import type { Estimate } from "#shared/contracts/metric.ts";
import type { ResultStatement } from "#shared/contracts/result-statement.ts";
import { scoringVersionOf } from "#shared/contracts/scoring-version.ts";
import { suiteOptions } from "#shared/measures/suite-options.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { type Check, type Difference, differs, passed, unchecked } from "./check.ts";
import { isSame, recomputeRun, TOLERANCE } from "./recompute-run.ts";

/** Scores and metrics worked out anew, and held against those that were published. */
export async function checkScores(
  statement: ResultStatement,
  paths: { dataset: string; answers: string },
): Promise<Check[]> {
  const { id, version } = statement.suite;
  const suite = suiteById(id);
  if (suite?.version !== version) {
    const here = suite === undefined ? "not there" : `version ${suite.version}`;
    const said = `they are by ${id} ${version}, which is ${here} in this assay; take that of ${statement.codeRevision ?? "the time"}`;
    return [unchecked("scores", said), unchecked("metrics", said)];
  }
  const options = suite.optionsSchema.safeParse(suiteOptions(statement.options));
  const scoring = options.success
    ? scoringVersionOf(suite, options.data, statement.judging)
    : "options that the suite refuses";
  if (scoring !== statement.scoringVersion) {
    const what = "scoring version";
    const differences = [{ what, signed: statement.scoringVersion, found: scoring }];
    return [differs("scores", "options and judges are not those of the scores", differences)];
  }
  try {
    const run = await recomputeRun(suite, statement, paths);
    return [
      scoresCheck(run, suite.judging !== undefined),
      ...modelsCheck(statement, run),
      metricsCheck(statement, run.metrics),
    ];
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return [
      differs("scores", error.message),
      unchecked("metrics", "samples and answers don't fit"),
    ];
  }
}

type Run = Awaited<ReturnType<typeof recomputeRun>>;

function scoresCheck({ scores, count }: Run, isJudged: boolean): Check {
  const taken = isJudged ? "; judgments are taken as they were recorded" : "";
  const differences = scores.map(({ id, repeat, published, recomputed }) => ({
    what: repeat === 0 ? `sample ${id}` : `sample ${id}, repeat ${repeat}`,
    signed: published,
    found: recomputed,
  }));
  if (differences.length > 0) {
    return differs("scores", `${differences.length} of ${count} are others${taken}`, differences);
  }
  return passed("scores", `${count} worked out anew${taken}`);
}

/** Which models answered, as the answers say; statements of earlier versions say nothing of it. */
function modelsCheck({ model }: ResultStatement, { served }: Run): Check[] {
  if (model.served === undefined) return [];
  if (JSON.stringify(model.served) !== JSON.stringify(served)) {
    const differences = [{ what: "models that answered", signed: model.served, found: served }];
    return [differs("models", "the answers name others", differences)];
  }
  const names = served.map(({ model: name, answers }) => `${name ?? "others"} (${answers})`);
  return [passed("models", names.length === 0 ? "no answer names one" : names.join(", "))];
}

function metricsCheck({ metrics }: ResultStatement, found: Record<string, Estimate>): Check {
  const ids = [...new Set([...Object.keys(metrics), ...Object.keys(found)])];
  const differences = ids.flatMap((id) => metricDifferences(id, metrics[id], found[id]));
  if (differences.length > 0)
    return differs("metrics", "they follow not from the answers", differences);
  return passed("metrics", `${ids.length} with their intervals, within ${TOLERANCE}`);
}

function metricDifferences(
  id: string,
  signed: Estimate | undefined,
  found: Estimate | undefined,
): Difference[] {
  const [a, b] = [figuresOf(signed), figuresOf(found)];
  const numbers = Object.keys(a) as (keyof typeof a)[];
  const differing = numbers.filter((name) => !isSame(a[name], b[name]));
  return [
    ...differing.map((name) => ({
      what: name === "value" ? id : `${id}, ${name}`,
      signed: a[name],
      found: b[name],
    })),
    ...(signed?.grade === found?.grade
      ? []
      : [{ what: `${id}, grade`, signed: signed?.grade ?? null, found: found?.grade ?? null }]),
  ];
}

const figuresOf = (estimate: Estimate | undefined) => ({
  value: estimate?.value ?? null,
  "lower end": estimate?.interval?.[0] ?? null,
  "upper end": estimate?.interval?.[1] ?? null,
  n: estimate?.n ?? null,
  coverage: estimate?.coverage ?? null,
});
