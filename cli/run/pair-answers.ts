import { emptyAnswer } from "#shared/contracts/answer.ts";
import { bounds } from "#shared/contracts/bounds.ts";
import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { sampleWithoutReplacement } from "#shared/stats/sample-without-replacement.ts";

/** The stored answers of a run. */
interface AnsweredRun {
  model: string;
  /** Text of each answer by sample id. */
  answers: ReadonlyMap<string, string>;
}

/** The parts of a sample that a judge sees. */
interface AskedSample {
  id: string;
  input: string;
  /** The cluster of its pairs: the sample's source, or the sample itself. */
  cluster: string;
}

/**
 * The answers of a run by sample, from its rows: without thoughts, tool calls as JSON. If a sample has several answers,
 * the first is used. A failed request has no answer.
 * @example answerTexts([{ id: "a", output: "<think>Hm.</think>Hi." }]).get("a") // "Hi."
 */
export function answerTexts(rows: readonly Json[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const row of rows) {
    if (!isJsonObject(row) || typeof row["id"] !== "string" || texts.has(row["id"])) continue;
    const text = textOf(row);
    if (text !== null) texts.set(row["id"], text);
  }
  return texts;
}

function textOf({ output, refusal, toolCalls, error }: JsonObject): string | null {
  if (typeof error === "string") return null;
  const answer = withoutThoughts({
    ...emptyAnswer,
    output: typeof output === "string" ? output : null,
  });
  const calls = Array.isArray(toolCalls) && toolCalls.length > 0 ? JSON.stringify(toolCalls) : null;
  return answer.output ?? calls ?? (typeof refusal === "string" ? refusal : "");
}

/**
 * The usable samples of a dataset for a judge.
 * @example askedSamples(suite, rows)[0]?.cluster // the sample's own id, unless it has a cluster
 */
export const askedSamples = (suite: Suite, rows: readonly Json[]): AskedSample[] =>
  rows.flatMap((row) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) return [];
    const { sample } = checked.value;
    const { id, tags } = suite.sampleHead(sample);
    return [{ id, input: suite.sampleText(sample).input, cluster: tags["cluster"] ?? id }];
  });

/**
 * A row of the suite `pairs` for every two answers of different models to a sample, or at most `most` rows chosen by
 * `seed`. O(samples · runs²).
 * @example pairRows(samples, [large, small], { most: 100, seed: "0" })[0]?.id // "sample-1 1-2"
 */
export function pairRows(
  samples: readonly AskedSample[],
  runs: readonly AnsweredRun[],
  { most, seed }: { most: number; seed: string },
): JsonObject[] {
  const all = samples.flatMap((sample) =>
    runs.flatMap((a, i) =>
      runs.slice(i + 1).flatMap((b, k) => {
        const [first, second] = [a.answers.get(sample.id), b.answers.get(sample.id)];
        if (first === undefined || second === undefined) return [];
        const models = { a: a.model, b: b.model };
        return [{ sample, place: `${i + 1}-${i + k + 2}`, models, first, second }];
      }),
    ),
  );
  return sampleWithoutReplacement(all.length, most, seed).map((at) => {
    const { sample, place, models, first, second } = all[at]!;
    const id = `${sample.id} ${place}`;
    return {
      id: id.length <= bounds.name ? id : `pair-${at + 1}`,
      input: sample.input,
      output_1: first,
      output_2: second,
      models,
      tags: { cluster: sample.cluster },
    };
  });
}
