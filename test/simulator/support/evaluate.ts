import { modesFor } from "../../../api/providers/ask-model.ts";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { chatCompletions } from "../../../shared/protocols/chat-completions.ts";
import { answerChat, chatDialect } from "../../../simulator/answer-chat.ts";
import { createSimulation, loadDatasets, type Simulation } from "../../../simulator/simulation.ts";

/** A suite, its stock samples, and simulations with these samples. */
export interface Bench {
  suite: Suite;
  // biome-ignore lint/suspicious/noExplicitAny: only the suite looks inside its samples.
  samples: any[];
  /** By seed. */
  simulation(seed: number): Simulation;
}

/** The file of a suite's stock data. */
export const stockOf = ({ id }: Suite): string =>
  `${import.meta.dirname}/../../../shared/suites/${id}/stock.jsonl`;

/** Reads a suite's stock data. */
export function aBench(suite: Suite): Bench {
  const rows = loadDatasets([stockOf(suite)]);
  const samples = rows.flatMap((row) => {
    const checked = suite.checkSample(row);
    return checked.ok ? [checked.value.sample] : [];
  });
  return { suite, samples, simulation: (seed) => createSimulation({ seed, datasets: [rows] }) };
}

/** A simulated model's answers to all samples, requested like the service does. */
export function askAll(
  { suite, samples }: Bench,
  simulation: Simulation,
  model: string,
  given: object = {},
): Answer[] {
  const options = suite.optionsSchema.parse(given);
  const heads = samples.map((sample) => suite.sampleHead(sample));
  const answers: Answer[] = [];
  for (const unit of suite.plan(heads, options)) {
    const task = { ...unit, samples: unit.samples.map((at) => samples[at]), options };
    const replies: Answer[] = [];
    let step = suite.next(task, replies);
    for (; step.kind === "ask"; step = suite.next(task, replies)) {
      replies.push(ask(simulation, model, step.request));
    }
    for (const [i, at] of unit.samples.entries()) answers[at] = step.answers[i] ?? emptyAnswer;
  }
  return answers;
}

/** The headline of answers. */
export function headlineOf(bench: Bench, answers: Answer[], given: object = {}): number {
  const { suite } = bench;
  const composite = suite.composites?.[suite.headline];
  if (composite === undefined) return meanOf(bench, answers, suite.headline, given) ?? Number.NaN;
  const parts = composite.parts.map((part) => meanOf(bench, answers, part, given));
  return composite.value(parts) ?? Number.NaN;
}

/** A comparison metric of answers; null if its denominator is 0. */
function meanOf(
  { suite, samples }: Bench,
  answers: Answer[],
  metric: string,
  given: object = {},
): number | null {
  const options = suite.optionsSchema.parse(given);
  let [of, over] = [0, 0];
  for (const [at, answer] of answers.entries()) {
    const value = suite.sampleValues(suite.score(samples[at], answer, options))[metric];
    const share = typeof value === "number" ? { of: value, over: 1 } : value;
    of += share?.of ?? 0;
    over += share?.over ?? 0;
  }
  return over === 0 ? null : of / over;
}

/** Asks in the modes that the service would try, until the model accepts one. */
export function ask(simulation: Simulation, model: string, request: ChatRequest): Answer {
  const baseUrl = "https://models.example/v1";
  const endpoint = { baseUrl, model, maxTokensParam: "max_tokens" as const };
  for (const mode of modesFor(request, new Set(), chatCompletions.ladder)) {
    const asked = { endpoint, request, mode, refused: new Set<string>(), streams: false };
    const body = chatCompletions.body(asked);
    const call = {
      path: "",
      dialect: chatDialect,
      body,
      apiKey: "sk-test",
      faults: null,
      onClosed: () => {},
    };
    const { status, parts, headers, firstMs } = answerChat(simulation, call);
    if (status !== 200) continue;
    const source = String(headers["x-inference-source"] ?? "") || null;
    const answer = chatCompletions.read(JSON.parse([...parts].join("")), source);
    return { ...emptyAnswer, ...answer, latencyMs: firstMs };
  }
  throw new Error("the model accepts no mode");
}
