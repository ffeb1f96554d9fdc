import type { Answer } from "../../contracts/answer.ts";
import { textHash } from "../../contracts/content-hash.ts";
import type { Run } from "../../contracts/run.ts";
import type { SampleText } from "../../contracts/suite.ts";
import { withoutThoughts } from "../thoughts/without-thoughts.ts";
import { evaluationId, evaluationName, modelId, resultId, SCHEMA_VERSION } from "./run-identity.ts";

/** A scored answer and its sample. */
export interface ScoredInstance {
  id: string;
  /** Index of the repeat, from 0. */
  repeat: number;
  tags: Readonly<Record<string, string>>;
  text: SampleText;
  answer: Answer;
  /** Score on the headline metric. */
  score: number;
}

/**
 * An answer as an Every Eval Ever instance, joined to the run's headline result. `is_correct` is a full score.
 * Source: evaleval/every_eval_ever, instance_level_eval.schema.json 0.3.0.
 * @example instanceRecord(run, scored).evaluation.score // scored.score
 */
export function instanceRecord(
  run: Pick<Run, "id" | "suite" | "model" | "dataset" | "headline">,
  { id, repeat, tags, text, answer, score }: ScoredInstance,
) {
  const { latencyMs, error } = answer;
  const said = saidIn(answer);
  const read = withoutThoughts(answer);
  return {
    schema_version: SCHEMA_VERSION,
    evaluation_id: evaluationId(run),
    model_id: modelId(run.model),
    evaluation_name: evaluationName(run),
    evaluation_result_id: resultId(run, run.headline),
    sample_id: id,
    sample_hash: sampleHash(text),
    interaction_type: "single_turn",
    input: { raw: text.input, reference: text.references },
    output: { raw: said, ...(read.thoughts && { reasoning_trace: [read.thoughts] }) },
    messages: null,
    answer_attribution: saidIn(read)
      .slice(0, 1)
      .map((extracted_value) => ({
        turn_idx: 0,
        source: "output.raw",
        extracted_value,
        extraction_method: `assay.${run.suite}`,
        is_terminal: true,
      })),
    evaluation: { score, is_correct: score >= 1 },
    token_usage: usageOf(answer),
    performance: latencyMs === null ? null : { latency_ms: latencyMs },
    error: error === null ? null : `${error.class}: ${error.message}`,
    metadata: { ...tags, repeat: `${repeat}` },
  };
}

/** Text and tool calls, if present. */
function saidIn({ output, refusal, toolCalls }: Answer): string[] {
  const texts = [
    toolCalls === null || toolCalls.length === 0 ? null : JSON.stringify(toolCalls),
    output,
    refusal,
  ];
  return texts.filter((text) => text !== null && text !== "") as string[];
}

/** SHA-256 of input and references as the schema defines it: keys sorted, no blanks. */
function sampleHash({ input, references }: SampleText): string {
  return textHash(pythonJson({ raw: input, reference: references }));
}

/** As in Python's `json.dumps`: non-ASCII characters are escaped as UTF-16 units. */
function pythonJson(value: { raw: string; reference: string[] }): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function usageOf({ inputTokens, outputTokens, reasoningTokens = null }: Answer) {
  if (inputTokens === null || outputTokens === null) return null;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(reasoningTokens !== null && { reasoning_tokens: reasoningTokens }),
  };
}
