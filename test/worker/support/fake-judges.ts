import type { Platform } from "../../../api/platform/platform.ts";
import type { JudgeClient } from "../../../api/providers/judges.ts";
import type { StoredSample } from "../../../api/runs/stored-samples.ts";
import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Route } from "../../../shared/contracts/judging/judge.ts";
import type { Endpoint } from "../../../shared/contracts/submissions/submission.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { defaultModelTable } from "../../../shared/judges/default-models.ts";
import { systemPrompt } from "../../../shared/judges/judge-prompt.ts";
import { judges } from "../../../shared/judges/judges.ts";
import { memory } from "../../../shared/suites/memory/suite.ts";
import { aDataset, newName } from "./a-dataset.ts";
import { harness, oneLane, submitRun } from "./harness.ts";

/** A question to a judge. */
export interface Question {
  metric: string;
  route: Route;
  request: ChatRequest | null;
}

type Reply = Partial<Answer> | { postponed: number } | null;

const endpointOf = ({ provider, model }: Route): Endpoint => ({
  baseUrl: `https://${provider}.example/v1`,
  model,
  maxTokensParam: "max_tokens",
});

/**
 * Judges of three providers that give the judgments of the fixtures, unless `reply` returns another one. `asked`
 * receives every question.
 */
export function fakeJudges(
  asked: Question[] = [],
  reply: (question: Question) => Reply = () => null,
  more: Partial<JudgeClient> = {},
): JudgeClient {
  return {
    problem: null,
    deployment: {
      providers: ["openai", "anthropic", "google", "custom"],
      routes: {},
      fallbackJudge: null,
    },
    simulated: [],
    models: null,
    priceOf: ({ model }) =>
      model === defaultModelTable.tone.model
        ? { inputPerMillion: 1000, outputPerMillion: 2000 }
        : undefined,
    concurrency: 50,
    limits: { timeoutMs: 1_000, maxRetries: 0 },
    async ask(route, request) {
      const system = request.messages[0]?.content;
      const judge = judges.find((one) => one.kind === "asked" && systemPrompt(one) === system);
      const metric = judge?.id ?? request.structured?.name ?? "";
      const question = { metric, route, request };
      asked.push(question);
      const special = reply(question);
      if (special !== null && "postponed" in special) {
        return { kind: "postponed", until: special.postponed };
      }
      const output = JSON.stringify(judgments[metric]?.judgment ?? {});
      const counts = { requests: 1, attempts: 1, inputTokens: 1_000, outputTokens: 100 };
      return {
        kind: "answer",
        answer: { ...emptyAnswer, output, latencyMs: 10, ...counts, ...special },
      };
    },
    async embed(route) {
      asked.push({ metric: "relevance", route, request: null });
      const vectors = [
        [1, 0],
        [1, 1],
      ];
      return { kind: "vectors", vectors, error: null, inputTokens: 20, latencyMs: 5, attempts: 1 };
    },
    async speak() {
      const recording = { data: "UklGRg==", format: "wav" } as const;
      return { kind: "recording", recording, seconds: 2, error: null, attempts: 1 };
    },
    list: async () => [],
    askBy: (askFor) => (route, request, limits, memory) =>
      askFor(route)(endpointOf(route), request, limits, memory),
    endpointOf,
    ...more,
  };
}

/** A platform with the memory suite, a model that gives advice, and the given judges. */
export function judgedHarness(
  judging: JudgeClient,
  overrides: Partial<Platform> = {},
): ReturnType<typeof harness> {
  return harness({
    suites: { all: [memory], byId: () => memory },
    ask: advising,
    judging,
    ...overrides,
  });
}

/** Answers contain the words that the fixtures quote, and differ for each question. */
const advising: Platform["ask"] = async (_target, { messages }) => ({
  kind: "answer",
  answer: {
    ...emptyAnswer,
    output: `${messages.at(-1)?.content} I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest.`,
    latencyMs: 1,
    requests: 1,
    attempts: 1,
    inputTokens: 10,
    outputTokens: 5,
  },
});

const traits = {
  openness: 0.5,
  conscientiousness: 0.5,
  extraversion: 0.5,
  agreeableness: 0.5,
  neuroticism: 0.5,
};

/** Registers `count` questions with known emotions and traits, unless `more` overrides these. */
export async function memoryDataset(
  platform: Platform,
  count: number,
  more: Record<string, unknown> = {},
): Promise<string> {
  const name = newName("memory");
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `${name}-${i}`,
    query: `Can I run again, attempt ${name} ${i}?`,
    memory: { knee: "operated in May", diet: "vegan", job: "teacher" },
    required_keys: ["knee"],
    forbidden_keys: ["diet"],
    neutral_keys: ["job"],
    emotion: { speech: { joy: 1 }, text: { joy: 1 } },
    personality: traits,
    ...more,
  }));
  return aDataset(platform, memory, rows, { name });
}

/** A finished run of the memory suite. */
export async function judgedRun(
  { platform, deliverAll }: ReturnType<typeof judgedHarness>,
  more: Parameters<typeof submitRun>[2] = {},
  dataset?: string,
  count = 4,
) {
  const name = dataset ?? (await memoryDataset(platform, count));
  const run = await submitRun(platform, name, { suite: "memory", options: oneLane, ...more });
  await deliverAll();
  return { run, dataset: name };
}

/** A run's answers in order. */
export async function storedAnswers(platform: Platform, run: string): Promise<Answer[]> {
  const rows = await platform.runs.samples(run, -1, 1_000);
  const objects = new Map<string, StoredSample[]>();
  for (const { object } of rows) {
    if (!objects.has(object)) objects.set(object, (await platform.objects.get(object)) ?? []);
  }
  return rows.map(({ object, seq }) => objects.get(object)!.find((one) => one.seq === seq)!.answer);
}
