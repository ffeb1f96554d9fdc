import { promptHashOf } from "../../api/boards/board-identity.ts";
import type { RunRecord } from "../../api/runs/schema.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import type { Bench } from "../simulator/support/evaluate.ts";
import type { DemoModel } from "./demo-models.ts";
import { finishRun } from "./finish-run.ts";
import { type Service, stockName } from "./service.ts";
import { type DemoAnswer, submitted } from "./simulated-answers.ts";
import { takeIn } from "./take-in.ts";

/** The evaluated model, the number of its evaluation on the suite, and the time. */
interface Evaluation {
  model: DemoModel;
  turn: number;
  createdAt: number;
}

/**
 * Submits a run and finishes it with these answers, using the service's own code. The same model, suite and turn always
 * give the same run.
 */
export async function finishedRun(
  service: Service,
  bench: Bench,
  evaluation: Evaluation,
  answers: readonly DemoAnswer[],
): Promise<RunRecord> {
  const { model, turn, createdAt } = evaluation;
  service.at(createdAt);
  const name = `${model.slug} ${bench.suite.id} ${turn}`;
  const [run] = await takeIn(service, name, requestOf(bench.suite, model, answers));
  if (run === undefined) throw new Error(`${name} has no run`);
  return finishRun(service, bench, run, answers);
}

function requestOf(suite: Suite, model: DemoModel, answers: readonly DemoAnswer[]) {
  const { slug, name, parameters, prices, origin } = model;
  return {
    suite: suite.id,
    dataset: stockName,
    visibility: "public",
    models: [
      {
        slug,
        name,
        parameters,
        simulated: true,
        ...(prices && { prices }),
        ...(origin === "called"
          ? { endpoint: { baseUrl: `https://${slug.split("/")[0]}.example/v1`, model: name } }
          : { answers: answers.map(({ id, answer }) => submitted(id, answer)) }),
        ...(origin === "self-reported" && {
          promptHash: promptHashOf(suite, suite.optionsSchema.parse({})),
        }),
      },
    ],
  };
}
