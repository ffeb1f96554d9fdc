import { z } from "zod";
import type { Answer } from "../answer.ts";
import type { ChatRequest } from "../chat-request.ts";
import type { Json } from "../json.ts";
import { metricSchema } from "../metric.ts";
import type { Result } from "../result.ts";
import type { Judge, Route } from "./judge.ts";

/** How judges are asked. */
export interface Manner {
  /** Which grade a judge gives if two fit; `standard`: the rubric decides. */
  strictness?: "lenient" | "standard" | "strict";
  /** Seed of the judges' requests; null: none is sent. */
  judgeSeed?: number | null;
}

/** A run's choice of judges; names are `model` or `provider:model`. */
export interface JudgeChoice extends Manner {
  /** One model for all judged metrics. */
  judge: string | null;
  /** A panel for all judged metrics; takes precedence over `judge`. */
  judges: readonly string[];
  /** Judge by metric; takes precedence over both. */
  judgeOverrides: Readonly<Record<string, string>>;
  /** Used if a provider has no key. */
  fallbackJudge: string | null;
}

/** One judge call to make for an answer. */
export interface JudgeTask {
  /** Key of the judgment in `Answer.judgments`. */
  name: string;
  judge: Judge;
  /** The input of the judgment. */
  material: unknown;
}

/** The request of a stage: to a chat model; or a text to synthesise as speech and then ask an audio model about. */
export type StageRequest =
  | { kind: "chat"; request: ChatRequest }
  | { kind: "speech"; text: string; request: ChatRequest };

/**
 * A fact about a sample that is determined before the model is asked. The deployment's models determine it, so it is
 * the same for every model under test. Cached by content.
 */
// biome-ignore-start lint/suspicious/noExplicitAny: as in `Suite`
export interface Stage<Sample = any, Options = any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  id: string;
  /** Default models by role; `speak` is text-to-speech. The deployment can name others. */
  routes: { ask: Route; speak?: Route };
  /** Null: the value is given, or the stage is switched off. */
  ask(sample: Sample, options: Options): StageRequest | null;
  read(reply: Answer): Result<Json, string>;
}

/** Worthless answers that test how a deployment's judges score them. */
// biome-ignore-start lint/suspicious/noExplicitAny: as in `Suite`
export interface Canary<Sample = any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  id: string;
  label: string;
  description: string;
  /**
   * Upper bound of the headline: a number, or another canary's headline plus a margin; null: the headline is
   * only reported.
   */
  bound: { most: number } | { over: string; margin: number } | null;
  /** One answer a sample, in order; the same for the same samples. */
  answers(samples: readonly Sample[]): string[];
}

/** How models judge a suite's answers. */
// biome-ignore-start lint/suspicious/noExplicitAny: as in `Suite`
export interface Judging<Sample = any, Options = any> {
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  judges: readonly Judge[];
  /** Null: a run with these options is not judged. */
  choice(options: Options): JudgeChoice | null;
  /** Ids of the judges whose judgments are required for a score. */
  needed: readonly string[];
  /** Judges to call for an answer; empty if its values are given. */
  tasks(sample: Sample, answer: Answer, options: Options): JudgeTask[];
  /** What the answer replies to. Judgments are cached by this and the answer, not by the sample's id. */
  about(sample: Sample): Json;
  /**
   * By option: the judge options that are reset to their defaults when a rescoring sets that option, so that the
   * judge it names is used.
   */
  replaces: Readonly<Record<string, readonly string[]>>;
  /** Missing in suites whose headline uses no judge. */
  canaries?: readonly Canary<Sample>[];
}

const routeSchema = z.object({
  provider: z.string(),
  model: z.string(),
  simulated: z.boolean().meta({ description: "whether the model is simulated" }),
});
export type RunRoute = z.infer<typeof routeSchema>;

const metricJudgesSchema = z.object({
  routes: z.array(routeSchema).describe("models that judge the metric; empty: none is available"),
  by: z.enum(["run", "deployment", "default", "fallback", "none"]).meta({
    description:
      "who chose the judge: the run, the deployment, the metric's default, or the fallback if none of their providers has a key",
  }),
  promptHash: z
    .string()
    .meta({ description: "hash of the judge's prompt and schema; for embeddings, a version" }),
  metric: metricSchema.optional().meta({
    description: "the metric, if the run's options define it (rubrics do); missing otherwise",
  }),
});

const stageRoutesSchema = z.object({ ask: routeSchema, speak: routeSchema.optional() }).nullable();

/** Judges and stage models of a run, fixed when it is submitted. */
export const runJudgingSchema = z
  .object({
    judges: z.record(z.string(), metricJudgesSchema).meta({ description: "judges by metric id" }),
    stages: z.record(z.string(), stageRoutesSchema).meta({
      description: "models of the stages before the answer, by stage; null: no model is available",
    }),
  })
  .meta({ id: "RunJudging" });
export type RunJudging = z.infer<typeof runJudgingSchema>;
