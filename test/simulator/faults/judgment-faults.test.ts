import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import { judgeRequest, repairRequest } from "../../../shared/judges/judge-request.ts";
import { readReply } from "../../../shared/judges/read-judgment.ts";
import { spoilJudgment } from "../../../simulator/faults/delivery-faults.ts";
import { createSimulation } from "../../../simulator/simulation.ts";
import { ask } from "../support/evaluate.ts";
import { anExchange, askedJudges, goodAnswer, judgeById } from "../support/exchange.ts";

const model = "sim-judge-c";

const replyOf = (id: string, fault = "", simulation = createSimulation({}), answer = goodAnswer) =>
  ask(
    simulation,
    fault === "" ? model : `${model}?faults=${fault}`,
    judgeRequest(judgeById(id), anExchange(answer)),
  );

describe.each(askedJudges.map((judge) => [judge.id, judge] as const))("judge %s", (id, judge) => {
  it.each(["invalid-json", "wrong-schema"])("%s gives a reply that is not a judgment", (fault) => {
    expect(readReply(judge, replyOf(id)).ok).toBe(true);
    const read = readReply(judge, replyOf(id, fault));
    expect(read).toMatchObject({ error: { reason: "invalid_judgment", isRepairable: true } });
  });

  it("invented-quotes gives a valid judgment", () => {
    expect(readReply(judge, replyOf(id, "invented-quotes")).ok).toBe(true);
  });

  it("refusal gives a reply that is recognised as a refusal", () => {
    const read = readReply(judge, replyOf(id, "refusal"));
    expect(read).toMatchObject({ error: { reason: "judge_refused" } });
  });
});

describe("spoilJudgment()", () => {
  it.each(
    askedJudges.filter(({ id }) => !/utilization|groundedness/.test(id)).map(({ id }) => [id]),
  )("out-of-range moves the score of %s out of its scale", (id) => {
    const read = readReply(judgeById(id), replyOf(id, "out-of-range"));
    expect(read).toMatchObject({ error: { reason: "invalid_judgment" } });
  });

  it.each([
    "groundedness",
    "safety",
    "politeness",
    "coherence",
    "empathy",
    "conversational_continuity",
  ])("invented-quotes makes %s quote text that does not exist", (id) => {
    const read = readReply(judgeById(id), replyOf(id, "invented-quotes"));
    const value = read.ok ? read.value : null;
    const { unsupportedEvidence } = judgeById(id).read(value, anExchange());
    expect(unsupportedEvidence).toBeGreaterThan(0);
  });

  it("does not change a content that is not JSON, or for other faults", () => {
    expect(spoilJudgment("Hello", "out-of-range")).toBe("Hello");
    expect(spoilJudgment('{"a":1}', "500")).toBe('{"a":1}');
  });
});

describe("faults of judges", () => {
  const answers = Array.from({ length: 200 }, (_, i) => `${goodAnswer} Rule ${i}.`);
  const failures = (fault: string, attempts: number) => {
    const simulation = createSimulation({});
    const first = (answer: string) => judgeRequest(judgeById("empathy"), anExchange(answer));
    return answers.map((answer) =>
      Array.from({ length: attempts }, (_, attempt) => {
        const asked = first(answer);
        const request = attempt === 0 ? asked : repairRequest(asked, "{}", "it is empty");
        const reply = ask(simulation, `${model}?faults=${fault}`, request);
        return readReply(judgeById("empathy"), { ...emptyAnswer, ...reply }).ok;
      }),
    );
  };

  it("are transient, or persistent with an exclamation mark", () => {
    const passing = failures("invalid-json:0.3", 2);
    expect(passing.some(([first, second]) => !first && second)).toBe(true);
    const lasting = failures("invalid-json:0.3!", 2);
    expect(lasting.every(([first, second]) => first === second)).toBe(true);
    const share = lasting.filter(([first]) => !first).length / lasting.length;
    expect(Math.abs(share - 0.3)).toBeLessThan(0.1);
  });

  it("are drawn separately for each metric of an answer", () => {
    const simulation = createSimulation({});
    const hit = (answer: string) =>
      askedJudges.map(({ id, ...judge }) => {
        const reply = replyOf(id, "invalid-json:0.5!", simulation, answer);
        return readReply({ ...judge, id }, reply).ok;
      });
    for (const answer of answers.slice(0, 5)) expect(new Set(hit(answer)).size).toBe(2);
  });
});
