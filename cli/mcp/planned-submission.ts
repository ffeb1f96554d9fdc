import { z } from "zod";
import { bounds } from "#shared/contracts/bounds.ts";
import { datasetRefSchema, visibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import { providerNames } from "#shared/contracts/submissions/providers.ts";
import type { ConfigModel, RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { webAddress } from "#shared/contracts/text/web-address.ts";
import { suiteIds } from "../command-line/suite-choice.ts";
import { keyText } from "../config/finding.ts";
import { isLocal } from "../config/local-target.ts";
import { type Plan, planOf } from "../config/plan.ts";
import { modelsOf } from "../config/suite-options.ts";
import { BadInput } from "../errors.ts";

const MAX_MODELS = 10;

/** Arguments of a tool that evaluates. They cannot name a variable with a key, so that no variable can be read. */
export const submissionArguments = z.strictObject({
  suite: z.enum(suiteIds),
  dataset: datasetRefSchema,
  models: z
    .array(z.string().min(1).max(120))
    .min(1)
    .max(MAX_MODELS)
    .meta({
      description: `each provider:model, such as openai:gpt-6-luna (${providerNames.join(", ")}), a name of the config file, or a name at baseUrl`,
    }),
  baseUrl: webAddress("must be an address such as http://localhost:11434/v1")
    .optional()
    .meta({ description: "endpoint of the models that are neither; no key is sent to it" }),
  sample: z.int().min(1).optional().meta({
    description: "evaluate only this many samples, drawn at random; such a run is not ranked",
  }),
  seed: z.int().min(0).optional().meta({ description: "seed that draws them; default 0" }),
  options: z
    .record(z.string().max(bounds.name), z.unknown())
    .optional()
    .meta({ description: "options of the suite, as list_suites describes them" }),
  visibility: visibilitySchema.default("unlisted"),
});

/** The submission from tool arguments. `known`: the config file with models. Throws BadInput. */
export function plannedSubmission(
  asked: z.output<typeof submissionArguments>,
  known: RunConfig,
): Plan {
  const { suite, dataset, models, baseUrl, sample, seed, options, visibility } = asked;
  const { plan, findings, lacking } = planOf({
    suite,
    dataset: {
      name: dataset,
      ...(sample !== undefined && { sample_size: sample }),
      ...(seed !== undefined && { random_seed: seed }),
    },
    models: models.map((name) => modelNamed(name, known, baseUrl)),
    ...(known.performance && { performance: known.performance }),
    ...(options && { options }),
    visibility,
  });
  if (plan !== null) return plan;
  const errors = [...findings, ...lacking].filter(({ severity }) => severity === "error");
  throw new BadInput(errors.map(({ path, message }) => `${keyText(path)}: ${message}`).join("; "));
}

function modelNamed(name: string, known: RunConfig, baseUrl: string | undefined): ConfigModel {
  const models = modelsOf(known).map(([, model]) => model);
  const model = models.find((one) => one.name === name);
  if (model !== undefined && isLocal(model)) {
    throw new BadInput(
      `${name} is a program or template of the config file: evaluate it with assay run`,
    );
  }
  if (model !== undefined) return model;
  const provider = providerNames.find((one) => name.startsWith(`${one}:`));
  if (provider !== undefined) return { name: name.slice(provider.length + 1), provider };
  if (baseUrl !== undefined) return { name, base_url: baseUrl };
  const names = models.map((one) => one.name).join(", ");
  const listed = names === "" ? "" : `, or one of ${names}`;
  throw new BadInput(
    `"${name}" names no provider: give provider:model, with one of ${providerNames.join(", ")}${listed}, or baseUrl`,
  );
}
