import { z } from "zod";
import { bounds } from "../../contracts/bounds.ts";
import type { Target } from "../../contracts/runs/unit.ts";
import { onDevice } from "../../measures/hybrid.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";

/** Our own wording; the specification has no prompt. */
const defaultToolPrompt =
  'You can call these functions, given as JSON with a JSON Schema of their parameters:\n{tools}\n\nAnswer with a JSON array of the calls that the user\'s last message asks for and nothing else: [{"name": "<function>", "arguments": {…}}]. Several calls stand in one array. Answer [] where no function fits.';

/** Options of a run of this suite; an unknown option is an error. */
export const toolsOptionsSchema = z
  .strictObject({
    temperature: z.number().min(0).max(2).nullable().default(0),
    maxTokens: z.int().min(1).default(1024),
    ...repeatOptions(1),
    toolMode: z.enum(["native", "prompt"]).default("native").meta({
      description:
        "native: tools are sent as `tools` and calls read from `tool_calls`; prompt: a system message lists the tools and calls are read from the content",
    }),
    toolPrompt: z.string().max(bounds.prompt).default(defaultToolPrompt).meta({
      description: "the system message of toolMode prompt; {tools} is filled in",
    }),
    strictArguments: z
      .boolean()
      .default(false)
      .meta({ description: "a call with arguments beyond those expected does not match" }),
    textRules: z.enum(["spec", "bfcl"]).default("spec").meta({
      description:
        "how texts in arguments are compared. spec: trimmed and in lower case; bfcl: as the Berkeley Function Calling Leaderboard does, without blanks, case and ,./-_*^",
    }),
    rankBy: z.enum(["calls", "conversations"]).optional().meta({
      description:
        "for datasets with samples of several turns. conversations: the run ranks by conversations that are right to the end, instead of by call F1; a sample's score is then 0 or 1",
    }),
    timeBaselineMs: z.number().positive().default(500).meta({
      description: "mean latency at which a level's time score is 0",
    }),
    source: z.string().min(1).max(200).optional().meta({
      description:
        "the source of answers that don't state one: on-device, or anything else, which counts as cloud",
    }),
    routed: z.boolean().optional().meta({
      description:
        "the system chooses between device and cloud: such runs rank by total, others by call F1. The service sets it for hybrid targets, and for answers only some of which came from the device; set it for an endpoint that chooses by itself",
    }),
    hybridSweep: z.boolean().default(false).meta({
      description:
        "for a hybrid target: both endpoints are asked for every sample, so that the report can draw the total against the threshold",
    }),
  })
  .refine(({ toolMode, toolPrompt }) => toolMode === "native" || toolPrompt.includes("{tools}"), {
    path: ["toolPrompt"],
    error:
      'must contain {tools} when "toolMode" is "prompt", or the prompt would not list the tools',
  });
export type ToolsOptions = z.infer<typeof toolsOptionsSchema>;

/** The default options. */
export const defaultOptions: ToolsOptions = toolsOptionsSchema.parse({});

/**
 * The options of a run once its target is known: `routed` for a hybrid target, and if only some answers came from the
 * device; else as declared.
 * Source: docs/spec/tools.md, which figure ranks.
 * @example resolveOptions(defaultOptions, { isHybrid: true, sources: [] }).routed // true
 */
export function resolveOptions(
  { routed: declared, ...options }: ToolsOptions,
  { isHybrid, sources }: Target,
): ToolsOptions {
  const isLocal = (source: string | null) => (source ?? options.source) === onDevice;
  const varies = sources.some(isLocal) && !sources.every(isLocal);
  return isHybrid || varies || declared ? { ...options, routed: true } : options;
}
