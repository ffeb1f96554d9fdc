import { expect, it } from "vitest";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import { ok } from "#shared/contracts/result.ts";
import { endpointMemory } from "../providers/endpoint-memory.ts";
import { runStages } from "./run-stages.ts";

const stage = {
  id: "mood",
  routes: {},
  ask: (text: string) => ({
    kind: "chat",
    request: { messages: [{ role: "user", content: text }] },
  }),
  read: ({ output }: { output: string | null }) => ok(output),
};
const route = { provider: "p", model: "m", simulated: true };
const work = {
  suite: { stages: [stage] },
  options: {},
  run: { judging: { stages: { mood: { ask: route } } } },
} as never;

/** Object storage in memory, and a model that records its requests. */
function inMemory() {
  const stored = new Map<string, string>();
  const asked: string[] = [];
  const objects = {
    get: async (key: string) => JSON.parse(stored.get(key) ?? "null") as unknown,
    putOnce: async (key: string, text: string) => !stored.has(key) && stored.set(key, text) && true,
  };
  const client = {
    ask: async (_: unknown, { messages }: { messages: { content: string }[] }) => {
      asked.push(messages[0]!.content);
      await Promise.resolve();
      return { kind: "answer", answer: { ...emptyAnswer, output: "calm" } };
    },
  };
  const asking = () => ({ client, limits: {}, memory: endpointMemory() }) as never;
  const run = (lane: never, sample: string) => runStages({ objects } as never, work, lane, sample);
  return { asked, asking, run };
}

it("runStages() asks once for repeats of a sample that a lane works on concurrently", async () => {
  const { asked, asking, run } = inMemory();
  const lane = asking();
  const findings = await Promise.all(["a", "a", "b", "a"].map((sample) => run(lane, sample)));
  expect(asked).toEqual(["a", "b"]);
  expect(findings.map(({ mood }) => [mood?.value, mood?.isReused])).toEqual([
    ["calm", false],
    ["calm", true],
    ["calm", false],
    ["calm", true],
  ]);
  const later = await run(asking(), "a");
  expect(later["mood"]).toMatchObject({ value: "calm", isReused: true });
  expect(asked).toHaveLength(2);
});
