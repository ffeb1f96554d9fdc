import { failRun } from "../../api/engine/record-lost-units.ts";
import type { RunRecord } from "../../api/runs/schema.ts";
import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import type { HybridRouting } from "../../shared/contracts/runs/unit.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import type { Simulation } from "../../simulator/simulation.ts";
import { aBench, ask, askAll, type Bench } from "../simulator/support/evaluate.ts";
import type { DemoModel } from "./demo-models.ts";
import { finishRun } from "./finish-run.ts";
import { type Service, stockName } from "./service.ts";
import { demoAnswers } from "./simulated-answers.ts";
import { takeIn } from "./take-in.ts";

/** Later than all other runs, so that these come first in lists by date. */
const made = Date.UTC(2026, 9, 31, 9);

const refused = "the endpoint answered 401 to every request: give a valid key and submit it again";

/** The swept parameters, and the model's error rate at each combination. */
const lists = { temperature: [0, 0.6, 1.2], top_p: [0.8, 1] };
const errorsAt = ({ temperature = 0, top_p: topP = 1 }: Record<string, unknown>): string =>
  (0.1 + 0.3 * Number(temperature) ** 2 * Number(topP)).toFixed(3);

/** A confidence threshold that half of the local answers reach. */
const routing = { confidenceThreshold: 0.9 };
const hybrid = { local: "sim-tiny?source=on-device", cloud: "sim-large", routing };

/** Makes unusual runs with the service's own code: a failed one, a sweep and a hybrid one. */
export async function makeOddRuns(service: Service): Promise<RunRecord[]> {
  service.at(made);
  return [
    await failedRun(service),
    ...(await sweptRuns(service, benchOf("quality"))),
    await hybridRun(service, benchOf("tools")),
  ];
}

function benchOf(id: string): Bench {
  const suite = suiteById(id);
  if (!suite) throw new Error(`there is no suite ${id}`);
  return aBench(suite);
}

const endpoint = (name: string) => ({ baseUrl: `https://${name}.example/v1`, model: name });

/** Submits one of the odd models. */
function submitted(
  service: Service,
  which: keyof typeof oddModels,
  suite: string,
  more: { target?: object; options?: object } = {},
): Promise<RunRecord[]> {
  const { slug, name, prices } = oddModels[which];
  const { target = { endpoint: endpoint(which) }, options = {} } = more;
  return takeIn(service, slug, {
    suite,
    dataset: stockName,
    visibility: "public",
    options,
    models: [{ slug, name, prices, simulated: true, ...target }],
  });
}

async function failedRun(service: Service): Promise<RunRecord> {
  const [run] = await submitted(service, "failed", "extraction");
  await failRun(service.platform, run!.id, refused);
  return storedRun(service, run!);
}

async function sweptRuns(service: Service, bench: Bench): Promise<RunRecord[]> {
  service.at(made);
  const runs = await submitted(service, "swept", bench.suite.id, { options: { sweep: lists } });
  const simulation = bench.simulation(1);
  const finished: RunRecord[] = [];
  for (const [i, run] of runs.entries()) {
    const name = `sim-vllm?errors=${errorsAt(run.variant ?? {})}&seed=${i}`;
    const answers = demoAnswers(bench, askAll(bench, simulation, name), oddModels.swept, i);
    // The last variant fails.
    if (i === runs.length - 1) {
      await failRun(service.platform, run.id, refused);
      finished.push(await storedRun(service, run));
    } else finished.push(await finishRun(service, bench, run, answers));
  }
  return finished;
}

async function hybridRun(service: Service, bench: Bench): Promise<RunRecord> {
  service.at(made);
  const options = { hybridSweep: true };
  const target = { hybrid: { local: endpoint("local"), cloud: endpoint("cloud"), ...routing } };
  const [run] = await submitted(service, "hybrid", bench.suite.id, { target, options });
  const answers = hybridAnswers(bench, bench.simulation(1), hybrid, options);
  return finishRun(service, bench, run!, demoAnswers(bench, answers, oddModels.hybrid, 0));
}

async function storedRun({ platform }: Service, { id }: RunRecord): Promise<RunRecord> {
  const run = await platform.runs.get(id);
  if (run === null) throw new Error(`${id} was not stored`);
  return run;
}

/** The model of an unusual run. */
type OddModel = Pick<DemoModel, "slug" | "name" | "lostRate" | "origin" | "prices">;

const odd = (slug: string, name: string): OddModel => ({
  slug,
  name,
  lostRate: 0,
  origin: "called",
  prices: { inputPerMillion: 0.4, outputPerMillion: 1.6 },
});

/** The models of the unusual runs. */
const oddModels = {
  failed: odd("sumac/sumac-1", "Sumac 1"),
  swept: odd("myrtle/myrtle-1", "Myrtle 1"),
  hybrid: odd("olive/olive-1", "Olive 1"),
};

/** The simulator's names of both models, and the rule that decides when the local answer is used. */
interface HybridCast {
  local: string;
  cloud: string;
  routing: HybridRouting;
}

/** The answers of a local and a cloud model to every sample, with the suite's own requests. */
function hybridAnswers(
  { suite, samples }: Bench,
  simulation: Simulation,
  { routing, ...names }: HybridCast,
  request: object,
): Answer[] {
  const options = suite.optionsSchema.parse(request);
  return samples.map((sample) => {
    const task = { samples: [sample], options, repeat: 0, hybrid: routing };
    const replies: Answer[] = [];
    let step = suite.next(task, replies);
    for (; step.kind === "ask"; step = suite.next(task, replies)) {
      const reply = ask(simulation, names[step.to === "cloud" ? "cloud" : "local"], step.request);
      replies.push({ ...reply, requests: 1, attempts: 1 });
    }
    return step.answers[0] ?? emptyAnswer;
  });
}
