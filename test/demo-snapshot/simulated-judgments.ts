import type { AskedJudge } from "../../shared/contracts/judging/judge.ts";
import type { JudgeTask } from "../../shared/contracts/judging/judging.ts";
import { type JudgmentRecord, noJudgment } from "../../shared/contracts/judging/judgment.ts";
import { sectionsShown } from "../../shared/judges/judge-request.ts";
import { judgmentSchema } from "../../shared/judges/judgment-schema.ts";
import { readJudgment } from "../../shared/judges/read-judgment.ts";
import { embed } from "../../simulator/answer-embeddings.ts";
import type { Draws } from "../../simulator/draws.ts";
import {
  type AnalyzedMaterial,
  analyzeMaterial,
} from "../../simulator/judging/analyze-material.ts";
import { judgeBias } from "../../simulator/judging/cues.ts";
import { readMaterial } from "../../simulator/judging/material.ts";
import { type KnownRubric, rubricFor } from "../../simulator/responders/judges.ts";
import { judgeModel, judgePrice } from "./judge-settings.ts";

/** The simulator's default length of vectors. */
const dimensions = 256;

/**
 * The simulator's judgments of an answer by metric. Uses the same rubrics as over the network, but without requests,
 * which would take five times as long. Tokens, times and costs are invented; they do not affect scores.
 */
export function simulatedJudgments(
  tasks: readonly JudgeTask[],
  draws: Draws,
): Record<string, JudgmentRecord[]> {
  const views = new Map<string, AnalyzedMaterial>();
  return Object.fromEntries(
    tasks.map((task) => [
      task.name,
      [
        task.judge.kind === "embeddings"
          ? { ...record(draws), judge: "sim-embedding", judgment: likeness(task.judge, task) }
          : {
              ...record(draws),
              judge: judgeModel,
              judgment: judgment(task.judge, task, views, draws),
            },
      ],
    ]),
  );
}

function likeness(judge: Extract<JudgeTask["judge"], { kind: "embeddings" }>, task: JudgeTask) {
  const [a, b] = judge.texts(task.material).map((text) => [...embed(text, dimensions)]);
  return judge.compare(a ?? [], b ?? []);
}

/** `views`: cache of the analyzed material, which most judges of an answer share. */
function judgment(
  judge: AskedJudge,
  { material }: JudgeTask,
  views: Map<string, AnalyzedMaterial>,
  draws: Draws,
): unknown {
  const pieces = sectionsShown(judge, material).map(({ name, text }) => [name, text] as const);
  const key = JSON.stringify(pieces);
  const view = views.get(key) ?? analyzeMaterial(readMaterial(Object.fromEntries(pieces)));
  views.set(key, view);
  const { metric, judge: rubric } = rubricOf(judge);
  const bias = judgeBias(judgeModel, metric ?? judge.id, draws, "");
  const read = readJudgment(judge, rubric(view, bias, draws));
  if (!read.ok) throw new Error(`${judge.id}: ${read.error}`);
  return read.value;
}

const rubrics = new Map<string, KnownRubric>();

function rubricOf(judge: AskedJudge): KnownRubric {
  const known = rubrics.get(judge.id) ?? rubricFor(judgmentSchema(judge));
  if (known === null) throw new Error(`the simulator has no rubric for ${judge.id}`);
  rubrics.set(judge.id, known);
  return known;
}

function record(draws: Draws): Omit<JudgmentRecord, "judge" | "judgment"> {
  const [inputTokens, outputTokens] = [900 + draws.index(300), 60 + draws.index(120)];
  const { inputPerMillion, outputPerMillion } = judgePrice;
  return {
    ...noJudgment,
    provider: "simulated",
    isSimulated: true,
    requests: 1,
    inputTokens,
    outputTokens,
    latencyMs: 300 + draws.index(500),
    costUsd: (inputTokens * inputPerMillion + outputTokens * outputPerMillion) / 1e6,
  };
}
