import type { Answer } from "../../../shared/contracts/answer.ts";
import type { JudgeTask } from "../../../shared/contracts/judging/judging.ts";
import { type JudgmentRecord, noJudgment } from "../../../shared/contracts/judging/judgment.ts";
import { judgeRequest } from "../../../shared/judges/judge-request.ts";
import { readReply } from "../../../shared/judges/read-judgment.ts";
import { embed } from "../../../simulator/answer-embeddings.ts";
import type { Simulation } from "../../../simulator/simulation.ts";
import { ask, type Bench } from "./evaluate.ts";

/** The simulator's default length of vectors. */
const dimensions = 256;

/** The answers with the judgments of simulated judges; unchanged for suites without judges. */
export function judgeAll(
  { suite, samples }: Bench,
  simulation: Simulation,
  answers: readonly Answer[],
  judges: readonly string[],
  given: object = {},
): Answer[] {
  const options = suite.optionsSchema.parse(given);
  const { judging } = suite;
  if (judging === undefined || judging.choice(options) === null) return [...answers];
  return answers.map((answer, at) => {
    const tasks = judging.tasks(samples[at], answer, options);
    if (tasks.length === 0) return answer;
    const entries = tasks.map((task): [string, JudgmentRecord[]] => [
      task.name,
      judges.map((judge) => recordOf(simulation, task, judge)),
    ]);
    return { ...answer, judgments: Object.fromEntries(entries) };
  });
}

/** Fields of a record in addition to the judgment; none changes a score. */
const unsaid: Omit<JudgmentRecord, "judge" | "judgment"> = {
  ...noJudgment,
  provider: "simulator",
  isSimulated: true,
  requests: 1,
};

function recordOf(
  simulation: Simulation,
  { judge, material }: JudgeTask,
  model: string,
): JudgmentRecord {
  if (judge.kind === "embeddings") {
    const [a, b] = judge.texts(material).map((text) => [...embed(text, dimensions)]);
    return { ...unsaid, judge: "sim-embedding", judgment: judge.compare(a!, b!) };
  }
  const read = readReply(judge, ask(simulation, model, judgeRequest(judge, material)));
  if (!read.ok) throw new Error(`${judge.id}: ${read.error.message}`);
  return { ...unsaid, judge: model, judgment: read.value };
}
