import { writeFileSync } from "node:fs";
import { command } from "../command-line/command.ts";
import { suiteIds } from "../command-line/suite-choice.ts";
import { BadInput } from "../errors.ts";
import { writeProblem } from "../files/open-file.ts";
import { serviceFlags, serviceOf } from "../remote/service-flags.ts";

const USUAL_FILE = "assay.yaml";

/** `assay init`: writes a commented config file. */
export const initCommand = command({
  name: "init",
  summary: "write a config file for assay run",
  description: [
    "Writes a config file for assay run, with a comment on every key. Never overwrites a file. Nothing is sent to the service.",
  ],
  positionals: [
    { name: "file", help: `Path of the new file; default ${USUAL_FILE}`, optional: true },
  ],
  flags: {
    ...serviceFlags,
    json: { type: "boolean", help: "Print {file, schema} as JSON" },
  },
  notes: ["Editors complete the file by the JSON Schema at <service>/schema/run-config.json."],
  examples: ["assay init", "assay init evaluations/small.yaml --server https://assay.example.com"],
  async run(values, [file = USUAL_FILE], { stdout }) {
    const schema = `${serviceOf(values, "submit").origin}/schema/run-config.json`;
    try {
      writeFileSync(file, startingConfig(schema), { flag: "wx" });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") {
        throw new BadInput(`${file}: file exists; choose another name`);
      }
      if (code === "ENOENT") throw new BadInput(`${file}: folder does not exist; create it first`);
      throw writeProblem(file, error);
    }
    const advice = `Wrote ${file}. Set its model, then run assay test-connection --config ${file} and assay run --config ${file}`;
    stdout.write(`${values.json ? JSON.stringify({ file, schema }, null, 2) : advice}\n`);
  },
});

/** The config file. `schema`: address of the JSON Schema, for completion in editors. */
const startingConfig = (schema: string): string => `# yaml-language-server: $schema=${schema}
#
# A run of Assay: assay run --config <this file>. assay validate-config checks it.
# Flags and environment variables take precedence over this file. Lines that begin with # are examples or defaults.

# ${suiteIds.join(", ")}
suite: extraction

# One model, or under "models:" a list of them.
model:
  name: My model
  # Name of the model at the endpoint; by default the name above.
  model: my-model
  # An OpenAI-compatible endpoint. The service calls it, so it must be reachable from there.
  base_url: http://localhost:11434/v1
  # The environment variable (or line of .env) that holds the endpoint's key; never write a key here.
  # api_key_env: MODEL_API_KEY
  temperature: 0
  # max_tokens: 2048
  # max_tokens_param: max_tokens     # or max_completion_tokens
  # structured_output: auto          # json_schema, structured_outputs, guided_json, json_object or none
  # timeout: 60                      # seconds a request
  # max_retries: 3
  # Shown next to its scores:
  # slug: owner/my-model
  # url: https://example.com/my-model
  # license: Apache-2.0
  # parameters: 7B
  # quantization: Q4_K_M
  # prices: { input_per_million: 0.15, output_per_million: 0.6 }   # USD per million tokens

dataset:
  # A dataset of the service; name@version pins one version.
  name: stock
  # Evaluate only this many samples, drawn with the seed. Such a run is not ranked.
  # sample_size: 100
  # random_seed: 42

# {text} and {schema} are filled in. Runs with other prompts are not compared.
# prompts:
#   system: You are a precise data extraction assistant.
#   user: "Text:\\n{text}\\n\\nSchema:\\n{schema}"

metrics:
  # Shown next to the headline.
  enabled: [validity, exactMatch, hallucinationRate]
  # assay run exits with 1 where a value is below its threshold, or above where lower is better.
  # Or a tier of thresholds of the report: minimum, target or excellence.
  # thresholds:
  #   eqs: 0.8
  #   hallucinationRate: 0.05
  # Weights of the parts of EQS; must sum to 1.
  # weights: { validity: 0.15, partialF1: 0.5, typeAccuracy: 0.2, noHallucination: 0.15 }
  # field_matching:
  #   numeric_tolerance: 0.001
  #   string_fuzzy_threshold: 0.85
  #   case_sensitive: false
  #   normalize_whitespace: true
  #   coerce_types: false
  # exact_match:
  #   case_sensitive: true
  #   normalize_whitespace: true
  #   array_order: true
  # assert_formats: false
  # aggregation: { f1_type: micro }  # the F1 that is shown: micro, macro, weighted, strict, lenient

# output:
#   results_dir: results             # run.json and samples.jsonl of each run
#   save_per_sample: true
#   save_predictions: false          # answers.jsonl, as assay score takes it
#   generate_report: false           # report.html, .md or .json
#   report_format: html              # markdown or json
#   junit: junit.xml

performance:
  # Concurrent requests.
  num_workers: 20
  # max_cost_usd: 5                  # a run that has spent this much pauses; needs prices

# Other options of the suite, with their names in POST /v1/submissions.
# options:
#   repeats: 1
#   logprobs: false

# public, or unlisted: reachable only by the id of the run
# visibility: public
`;
