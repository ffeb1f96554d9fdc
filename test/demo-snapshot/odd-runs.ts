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

/** Behind all others, so that they stand first in lists by date. */
const made = Date.UTC(2026, 9, 31, 9);

const refused = "the endpoint answered 401 to every request: give a valid key and submit it again";

/** What is swept, and how much more the model errs there. */
const lists = { temperature: [0, 0.6, 1.2], top_p: [0.8, 1] };
const errorsAt = ({ temperature = 0, top_p: topP = 1 }: Record<string, unknown>): string =>
  (0.1 + 0.3 * Number(temperature) ** 2 * Number(topP)).toFixed(3);

/** A threshold that half of the local answers reach. */
const routing = { confidenceThreshold: 0.9 };
const hybrid = { local: "sim-tiny?source=on-device", cloud: "sim-large", routing };

/** Makes runs that are not like others, by the service's own code: a failed, a sweep's, a hybrid one. */
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

/** Takes in what a model of the list is to be asked. */
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
    // The last one fails, as may happen to any of them.
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
  const said = hybridAnswers(bench, bench.simulation(1), hybrid, options);
  return finishRun(service, bench, run!, demoAnswers(bench, said, oddModels.hybrid, 0));
}

async function storedRun({ platform }: Service, { id }: RunRecord): Promise<RunRecord> {
  const run = await platform.runs.get(id);
  if (run === null) throw new Error(`${id} was not stored`);
  return run;
}

/** What a model of a run that is not like others is asked to do at the simulator, and what its card says. */
type OddModel = Pick<DemoModel, "slug" | "name" | "lostRate" | "origin" | "prices">;

const odd = (slug: string, name: string): OddModel => ({
  slug,
  name,
  lostRate: 0,
  origin: "called",
  prices: { inputPerMillion: 0.4, outputPerMillion: 1.6 },
});

/** Models of runs that no board ranks, or that are made otherwise than all others. */
const oddModels = {
  failed: odd("sumac/sumac-1", "Sumac 1"),
  swept: odd("myrtle/myrtle-1", "Myrtle 1"),
  hybrid: odd("olive/olive-1", "Olive 1"),
};

/** Names at the simulator of both endpoints, and when the answer of the local one stands. */
interface HybridCast {
  local: string;
  cloud: string;
  routing: HybridRouting;
}

/** What a local and a cloud endpoint answer to every sample, asked as the suite says. */
function hybridAnswers(
  { suite, samples }: Bench,
  simulation: Simulation,
  { routing, ...names }: HybridCast,
  given: object,
): Answer[] {
  const options = suite.optionsSchema.parse(given);
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
