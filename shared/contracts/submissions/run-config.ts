import { z } from "zod";
import { structuredModes } from "../answer.ts";
import { bounds, nameSchema } from "../bounds.ts";
import { visibilitySchema } from "../datasets/dataset.ts";
import { limitTiers } from "../metric.ts";
import { slugSchema } from "../text/slug.ts";
import { webAddress } from "../text/web-address.ts";
import { endpointHeadersSchema, endpointKeySchema } from "./endpoint-headers.ts";
import { inferenceSettingsSchema } from "./inference-settings.ts";
import { pricesSchema, usdPerMillion } from "./prices.ts";
import { batchInterfaces, protocols, providerNames } from "./providers.ts";
import { runnerNameSchema } from "./runner.ts";

const share = z.number().min(0).max(1);
const text = z.string().min(1).max(bounds.prompt);

/** Equal to the maximum of concurrent requests. */
const MOST_PROCESSES = 200;

/** An endpoint of a model, or of one side of a hybrid target. */
const endpointKeys = {
  model: text.max(200).optional().meta({
    description: "its name at the endpoint; default: the name",
  }),
  provider: z.enum(providerNames).optional().meta({
    description: "a provider whose address and key variable are known, instead of base_url",
  }),
  base_url: webAddress("must be an address such as https://api.example.com/v1")
    .optional()
    .meta({ description: "address of the endpoint" }),
  protocol: z.enum(protocols).optional().meta({
    description:
      "interface of the endpoint; default: Anthropic's and Google's own at their hosts, responses at OpenAI's, elsewhere chat_completions",
  }),
  api_key_env: z
    .string()
    .max(bounds.name)
    .regex(/^[A-Z_][A-Z0-9_]*$/, {
      error: "must be the name of an environment variable, such as MODEL_API_KEY",
    })
    .optional()
    .meta({
      description:
        "environment variable that contains the endpoint's key; default: the provider's usual one",
    }),
  api_key: endpointKeySchema.optional().meta({
    description:
      "$NAME is the same as api_key_env. A key itself is used, with a warning; it is not shown or stored",
  }),
  headers: endpointHeadersSchema.optional().meta({
    description:
      "sent with every request; $NAME in a value is replaced by that environment variable. They are not shown or stored",
  }),
  max_tokens_param: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  runner: runnerNameSchema.optional().meta({
    description:
      "name of a runner (assay runner) of your account at the service, which calls this endpoint in its own network and has its key",
  }),
};
const configEndpointSchema = z.strictObject(endpointKeys);
/** An endpoint in a config file. */
export type ConfigEndpoint = z.infer<typeof configEndpointSchema>;

/**
 * A model of the file. Its thinking options become inference settings, and so do temperature and token limit if they
 * differ between models; all models of a run must have the same other request options.
 */
export const configModelSchema = z.strictObject({
  name: text.max(120).meta({ description: "its name in tables" }),
  ...endpointKeys,
  exec: text.max(bounds.url).optional().meta({
    description:
      "instead of an endpoint: a command, run in the folder of this file, that reads a JSON line for each request and writes one with the answer",
  }),
  processes: z.int().min(1).max(MOST_PROCESSES).optional().meta({
    description:
      "with exec: number of parallel processes of the command; default: one for each concurrent request. With fewer, each gets several lines at the same time",
  }),
  http: z
    .union([text, z.record(nameSchema, z.unknown())], {
      error: "must be an address, a file such as pipeline.yaml, or a template with url",
    })
    .optional()
    .meta({
      description:
        "instead of an endpoint: an HTTP interface of any form, called from this machine; its address, a file of YAML or JSON relative to this one, or the template itself, with url, method, headers, body and reply",
    }),
  hybrid: z
    .strictObject({
      local: configEndpointSchema,
      cloud: configEndpointSchema,
      confidence_threshold: share.optional(),
    })
    .optional()
    .meta({
      description:
        "instead of one endpoint: a local one that is asked first, and the cloud for answers below the threshold of confidence, 0.99 by default",
    }),
  batches: z.enum(batchInterfaces).optional().meta({
    description: "batch interface of the endpoint, for mode batch; default: that of the host",
  }),
  temperature: z.number().min(0).max(2).nullable().optional().meta({
    description: "null: it is not sent",
  }),
  max_tokens: z.int().min(1).optional(),
  reasoning_effort: inferenceSettingsSchema.shape.reasoningEffort.meta({
    description: "how long it should think; models with other settings are separate entries",
  }),
  thinking_budget: inferenceSettingsSchema.shape.thinkingBudget,
  top_p: inferenceSettingsSchema.shape.topP,
  seed: inferenceSettingsSchema.shape.seed,
  tool_choice: inferenceSettingsSchema.shape.toolChoice,
  extra_body: inferenceSettingsSchema.shape.extraBody,
  structured_output: z.enum(["auto", ...structuredModes]).optional(),
  timeout: z.number().min(0.1).max(300).optional().meta({ description: "seconds per request" }),
  max_retries: z.int().min(0).max(10).optional(),
  slug: slugSchema.optional().meta({ description: "owner/name, its address on the site" }),
  url: webAddress("must be the address of a page, beginning with https:// or http://")
    .optional()
    .meta({ description: "a page about it" }),
  license: text.max(80).optional(),
  parameters: text.max(40).optional().meta({ description: "its size, as 7B" }),
  quantization: text.max(40).optional(),
  prices: z
    .strictObject({
      input_per_million: usdPerMillion("input"),
      output_per_million: usdPerMillion("output"),
      cached_per_million: pricesSchema.shape.cachedPerMillion,
      audio_per_million: pricesSchema.shape.audioPerMillion,
      reasoning_per_million: pricesSchema.shape.reasoningPerMillion,
    })
    .optional()
    .meta({ description: "of a hybrid target: for both endpoints, so give those of the dearer" }),
});
/** A model of a config file. */
export type ConfigModel = z.infer<typeof configModelSchema>;

const datasetSectionSchema = z.strictObject({
  name: text.optional().meta({
    description:
      "a dataset of the service, newest version unless @…; a file (.jsonl, .json, .csv, .parquet), relative to the config, which assay run uploads; or owner/name or hf:owner/name of Hugging Face, which a service on this machine imports if it lacks it",
  }),
  split: text.optional().meta({ description: "split of a dataset that is imported" }),
  config: text.optional().meta({ description: "configuration (subset) of such a dataset" }),
  cache_dir: text.optional().meta({
    description: "folder for rows of Hugging Face; default: ~/.cache/assay/hugging-face",
  }),
  sample_size: z.int().min(1).optional().meta({
    description: "number of samples to evaluate, drawn with random_seed; such a run is not ranked",
  }),
  random_seed: z.int().min(0).optional().meta({
    description:
      "seed that draws sample_size samples; other programs draw different samples with the same seed",
  }),
});

const metricsSectionSchema = z.strictObject({
  enabled: z.array(text).optional().meta({ description: "metrics that the summary shows" }),
  weights: z.record(nameSchema, z.number().min(0)).optional().meta({
    description: "weights of the parts of the headline, by the suite's names",
  }),
  thresholds: z
    .union([z.enum(limitTiers), z.record(nameSchema, z.number())], {
      error: `must be one of ${limitTiers.join(", ")}, or numbers by metric, as { eqs: 0.8 }`,
    })
    .optional()
    .meta({
      description:
        "a tier of the suite's limits, or by metric the minimum value, or the maximum if lower is better; if a limit is missed, assay run exits with 1",
    }),
  field_matching: z
    .strictObject({
      string_fuzzy_threshold: share.optional(),
      numeric_tolerance: share.optional(),
      case_sensitive: z.boolean().optional(),
      normalize_whitespace: z.boolean().optional(),
      coerce_types: z.boolean().optional(),
    })
    .optional(),
  exact_match: z
    .strictObject({
      case_sensitive: z.boolean().optional(),
      normalize_whitespace: z.boolean().optional(),
      array_order: z.boolean().optional(),
    })
    .optional(),
  assert_formats: z.boolean().optional().meta({ description: "`format` counts in validity" }),
  aggregation: z
    .strictObject({
      f1_type: text.optional().meta({
        description:
          "the F1 that the summary shows: micro, macro, weighted, strict, partial or lenient",
      }),
    })
    .optional(),
});

const outputSectionSchema = z.strictObject({
  results_dir: text
    .optional()
    .meta({ description: "folder for results; each run gets its own folder in it" }),
  save_predictions: z.boolean().optional().meta({
    description: "write answers.jsonl, the input of assay score",
  }),
  save_per_sample: z.boolean().optional().meta({
    description: "write samples.jsonl; without it, true",
  }),
  generate_report: z.boolean().optional().meta({
    description: "write the report of each run into its folder",
  }),
  report_format: text.optional().meta({ description: "html, the default, markdown or json" }),
  junit: text.optional().meta({ description: "a file of JUnit XML, for continuous integration" }),
});

const performanceSectionSchema = z.strictObject({
  num_workers: z.int().min(1).max(200).optional().meta({ description: "concurrent requests" }),
  max_cost_usd: z.number().positive().optional().meta({
    description: "a run pauses when it has spent this amount; requires prices for every model",
  }),
  batch_size: z.int().min(1).optional().meta({ description: "no effect: a request has a sample" }),
  enable_caching: z.boolean().optional().meta({
    description:
      "reuse stored answers of this machine to identical requests at temperature 0; they have no latency",
  }),
  cache_dir: text.optional().meta({
    description: "folder for these answers; default: the data folder of the service",
  }),
});

/**
 * A run in a YAML file for `assay run --config`. Every key is optional, because flags can supply required values.
 * Sections and most keys have the names of the extraction suite's source (docs/spec/extraction.md, section 12).
 * @example runConfigSchema.parse({ suite: "extraction", dataset: { name: "stock" } })
 */
export const runConfigSchema = z
  .strictObject({
    suite: text.optional().meta({ description: "without it, extraction" }),
    model: configModelSchema.optional(),
    models: z.array(configModelSchema).min(1).max(20).optional().meta({
      description: "several models, instead of model",
    }),
    dataset: datasetSectionSchema.optional(),
    prompts: z
      .strictObject({
        system: z.string().max(bounds.prompt).optional(),
        user: z
          .string()
          .max(bounds.prompt)
          .optional()
          .meta({ description: "{text} and {schema} are filled in; in suite rubric {query}" }),
      })
      .optional(),
    variants: z
      .record(
        nameSchema.min(1),
        z.strictObject({
          system: z.string().max(bounds.prompt).optional(),
          user: z.string().max(bounds.prompt).optional(),
        }),
      )
      .optional()
      .meta({
        description:
          "prompts to compare, by name: each is a run of its own, and a page compares them",
      }),
    rubric: z
      .union([text, z.record(nameSchema, z.unknown())], {
        error: "must be a file, such as rubric.yaml, or a rubric with name and criteria",
      })
      .optional()
      .meta({
        description:
          "for the suite rubric: a file of YAML or JSON, relative to this one, or the rubric itself",
      }),
    metrics: metricsSectionSchema.optional(),
    output: outputSectionSchema.optional(),
    performance: performanceSectionSchema.optional(),
    options: z.record(nameSchema, z.unknown()).optional().meta({
      description:
        "other options, with their names in POST /v1/submissions; they take precedence over the keys above",
    }),
    visibility: visibilitySchema.optional(),
  })
  .meta({ title: "A run of Assay" });
/** Content of a config file. */
export type RunConfig = z.infer<typeof runConfigSchema>;

/**
 * The JSON Schema of a config file (2020-12), for completion in editors.
 * @example runConfigJsonSchema()["title"] // "A run of Assay"
 */
export const runConfigJsonSchema = (): Record<string, unknown> =>
  z.toJSONSchema(runConfigSchema, { io: "input", reused: "inline" });
