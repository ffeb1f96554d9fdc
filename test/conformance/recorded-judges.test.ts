import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { type Answer, emptyAnswer } from "../../shared/contracts/answer.ts";
import type { JsonObject } from "../../shared/contracts/json.ts";
import { judges } from "../../shared/judges/judges.ts";
import { readReply } from "../../shared/judges/read-judgment.ts";
import { scoredRun } from "../../shared/suites/__fixtures__/scored-run.ts";
import { defaultOptions } from "../../shared/suites/pairs/options.ts";
import { checkSample } from "../../shared/suites/pairs/sample.ts";
import { pairs } from "../../shared/suites/pairs/suite.ts";
import { jsonLines } from "../support/json-lines.ts";

const folder = join(import.meta.dirname, "../../../shared/data/llmbar-natural");
const where = "skipped if ../shared/data/llmbar-natural is missing";
const isThere = existsSync(folder);

const judgeNames = ["GPT-4/CoT", "GPT-4/Rating"] as const;
type Winner = "1" | "2";
type Completion = [text: string, finishReason: string];
interface Order {
  completion?: Completion;
  winner: Winner | null;
}
interface Recorded {
  id: string;
  judge: (typeof judgeNames)[number];
  results: Record<"swap = False" | "swap = True", Order> & {
    score_1?: Completion;
    score_2?: Completion;
  };
}

const read = (name: string) => (isThere ? readFileSync(join(folder, name), "utf8") : "");
const rows = <Row>(name: string): Row[] => jsonLines(read(name));

const recorded = rows<Recorded>("judgements.jsonl");
const labels = new Map(
  rows<{ id: string; label: number }>("pairs.jsonl").map(({ id, label }) => [id, `${label}`]),
);
const published = isThere ? JSON.parse(read("published_statistics.json"))["Natural"] : {};
const orders = ["swap = False", "swap = True"] as const;

/** The winner in the judge's last sentence, mapped back if the outputs were swapped. */
function winnerOf(text: string, isSwapped: boolean): Winner | null {
  const said = /Therefore, Output \(([ab])\) is better\.?$/.exec(text.trim())?.[1];
  if (said === undefined) return null;
  return (said === "a") === isSwapped ? "2" : "1";
}

/** The output with the higher rating; on a tie, the output in second position. */
function higherOf([a]: Completion, [b]: Completion, isSwapped: boolean): Winner {
  if (Number(a) !== Number(b)) return Number(a) > Number(b) ? "1" : "2";
  return isSwapped ? "1" : "2";
}

function parsedWinner({ results }: Recorded, order: (typeof orders)[number]): Winner | null {
  const { completion } = results[order];
  const isSwapped = order === "swap = True";
  if (completion) return winnerOf(completion[0], isSwapped);
  return higherOf(results.score_1!, results.score_2!, isSwapped);
}

/** Raw agreement of two raters and Cohen's kappa (1960). */
function agreement(a: readonly unknown[], b: readonly unknown[]): { raw: number; kappa: number } {
  const shareOf = (ratings: readonly unknown[], name: unknown) =>
    ratings.filter((rating) => rating === name).length / ratings.length;
  const raw = a.filter((rating, i) => rating === b[i]).length / a.length;
  const byChance = [...new Set(a)].reduce<number>(
    (sum, name) => sum + shareOf(a, name) * shareOf(b, name),
    0,
  );
  return { raw, kappa: (raw - byChance) / (1 - byChance) };
}

const replyOf = ([output, finishReason]: Completion): Answer => ({
  ...emptyAnswer,
  output,
  finishReason,
});

describe.skipIf(!isThere)(`200 recorded outputs of GPT-4 as a judge (${where})`, () => {
  test("are parsed to the recorded winners", () => {
    expect(recorded).toHaveLength(200);
    for (const one of recorded) {
      for (const order of orders) {
        expect([one.id, order, parsedWinner(one, order)]).toEqual([
          one.id,
          order,
          one.results[order].winner,
        ]);
      }
    }
  });

  it.each(judges.map((judge) => [judge.id, judge] as const))(
    "are repairable invalid judgments of %s",
    (_, judge) => {
      const texts = recorded.flatMap(({ results }) => [
        ...orders.flatMap((order) => results[order].completion ?? []),
        ...[results.score_1 ?? [], results.score_2 ?? []].flat(),
      ]);
      // Texts and finish reasons alternate.
      for (let i = 0; i < texts.length; i += 2) {
        const reply = replyOf([texts[i]!, texts[i + 1]!]);
        expect(readReply(judge, reply)).toMatchObject({
          ok: false,
          error: { reason: "invalid_judgment", isRepairable: true },
        });
      }
      expect(texts).toHaveLength(2 * 400);
    },
  );

  test.each(judgeNames)("of %s have the published agreement", (name) => {
    const ofJudge = recorded.filter(({ judge }) => judge === name);
    const wanted = published[name];
    const label = ofJudge.map(({ id }) => labels.get(id)!);
    const [first, swapped] = orders.map((order) => ofJudge.map((one) => parsedWinner(one, order)));
    const share = (text: string) => Number.parseInt(text, 10) / ofJudge.length;
    const between = agreement(first!, swapped!);
    expect(between.kappa).toBeCloseTo(wanted.kappa_agreement, 12);
    expect(between.raw).toBeCloseTo(share(wanted.equal), 12);
    for (const [winners, order] of [
      [first!, "False"],
      [swapped!, "True"],
    ] as const) {
      expect(agreement(winners, label).raw).toBeCloseTo(share(wanted[`correct_${order}`]), 12);
      // The published kappa with people codes a judge's 2 as 0, which is not a label.
      const coded = winners.map((winner) => (winner === "2" ? "0" : winner));
      expect(agreement(coded, label).kappa).toBeCloseTo(wanted[`kappa_${order}`], 12);
    }
  });
});

const samples = rows<JsonObject>("pairs.jsonl").map((row) => {
  const checked = checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
});

/** Parses the share in "94 / 100 = 94.0%". */
const shareIn = (text: string): number => Number.parseFloat(text.split("= ").at(-1) ?? "") / 100;

const byWinner: Readonly<Record<string, string>> = { 1: "A", 2: "B" };

describe.skipIf(!isThere)(`LLMBar, judged in both orders by GPT-4 (${where})`, () => {
  test.each(judgeNames)("%s has the published accuracy and consistency", (judge) => {
    const byId = new Map(recorded.flatMap((one) => (one.judge === judge ? [[one.id, one]] : [])));
    const answered = samples.map((sample) => {
      const { results } = byId.get(sample.id)!;
      const verdict = (order: (typeof orders)[number]) =>
        byWinner[results[order].winner ?? ""] ?? null;
      const output = { given: verdict("swap = False"), swapped: verdict("swap = True") };
      return [sample, { ...emptyAnswer, output: JSON.stringify(output) }] as const;
    });
    const { metrics } = scoredRun(pairs, answered, defaultOptions).summary;
    const wanted = published[judge];
    const value = (id: string) => metrics[id]?.value ?? Number.NaN;
    expect(value("accuracy")).toBeCloseTo(shareIn(wanted.correct_average), 12);
    expect(value("bothRight")).toBeCloseTo(shareIn(wanted.correct_both), 12);
    expect(value("consistency")).toBeCloseTo(shareIn(wanted.equal), 12);
    // Without ties, position decided every pair with different verdicts.
    const [first, second] = [value("firstTwice"), value("secondTwice")];
    expect(first + second).toBeCloseTo(1 - shareIn(wanted.equal), 12);
    expect(value("firstShare")).toBeCloseTo((1 + first - second) / 2, 12);
    const [low, high] = metrics["firstShare"]!.interval!;
    expect(low).toBeLessThan(value("firstShare"));
    expect(high).toBeGreaterThan(value("firstShare"));
  });
});
