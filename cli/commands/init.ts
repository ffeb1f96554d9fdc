import { writeFileSync } from "node:fs";
import { BadInput } from "../bad-input.ts";
import { serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { writeProblem } from "../score/open-file.ts";
import { command } from "./command.ts";

const USUAL_FILE = "assay.yaml";

const help = `assay init [file] [options]

Writes a config file for assay run, with a comment on every key. A file that is there is left as it is.

  [file]            where to; without it, ${USUAL_FILE}
  ${serverHelp};
                    editors complete the file by the JSON Schema at <service>/schema/run-config.json
  --json            print {file, schema} as one JSON object
  --help            show this

Nothing is asked of the service.

Exit code: 0 when it was written, 2 when it can't be.

Examples
  assay init
  assay init evaluations/small.yaml --server https://assay.example.com`;

/** `assay init`: writes a config file to begin with. */
export const initCommand = command({
  name: "init",
  summary: "write a config file for assay run",
  help,
  flags: { ...serviceFlags, json: { type: "boolean" } },
  async run(values, [file = USUAL_FILE, surplus], { stdout }) {
    if (surplus !== undefined) throw new BadInput(`one file at a time; "${surplus}" is too much`);
    const schema = `${serviceOf(values, "submit").origin}/schema/run-config.json`;
    try {
      writeFileSync(file, startingConfig(schema), { flag: "wx" });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") {
        throw new BadInput(`${file}: it is there already; give another name`);
      }
      if (code === "ENOENT") throw new BadInput(`${file}: its folder is not there; make it first`);
      throw writeProblem(file, error);
    }
    const advice = `${file} is written; set its model, then: assay test-connection --config ${file} and assay run --config ${file}`;
    stdout.write(`${values.json ? JSON.stringify({ file, schema }, null, 2) : advice}\n`);
  },
});

/** A config file to begin with. `schema`: where the JSON Schema is that editors complete it by. */
const startingConfig = (schema: string): string => `# yaml-language-server: $schema=${schema}
#
# A run of Assay: assay run --config <this file>. assay validate-config says what is wrong with it.
# Flags and environment go before what stands here. Lines behind a # are examples, or the defaults.

# extraction, slots, tools, quality or memory
suite: extraction

# One model, or under "models:" a list of them.
model:
  name: My model
  # What the endpoint calls it; without it, the name.
  model: my-model
  # An OpenAI-compatible endpoint. The service calls it, so it must be reachable from there.
  base_url: http://localhost:11434/v1
  # The environment variable (or line of .env) that holds the endpoint's key. No key stands in this file.
  # api_key_env: MODEL_API_KEY
  temperature: 0
  # max_tokens: 2048
  # max_tokens_param: max_tokens     # or max_completion_tokens
  # structured_output: auto          # json_schema, structured_outputs, guided_json, json_object or none
  # timeout: 60                      # seconds a request
  # max_retries: 3
  # Shown beside its scores:
  # slug: owner/my-model
  # url: https://example.com/my-model
  # license: Apache-2.0
  # parameters: 7B
  # quantization: Q4_K_M
  # prices: { input_per_million: 0.15, output_per_million: 0.6 }   # USD per million tokens

dataset:
  # A dataset of the service; name@version keeps to one version.
  name: stock
  # Evaluate so many samples, drawn with the seed. Such a run is not ranked.
  # sample_size: 100
  # random_seed: 42

# {text} and {schema} are filled in. Runs with other prompts are not compared.
# prompts:
#   system: You are a precise data extraction assistant.
#   user: "Text:\\n{text}\\n\\nSchema:\\n{schema}"

metrics:
  # Shown beside the headline.
  enabled: [validity, exactMatch, hallucinationRate]
  # assay run ends with 1 where a value is below, or above where lower is better. Or a tier of the
  # report's thresholds: minimum, target or excellence.
  # thresholds:
  #   eqs: 0.8
  #   hallucinationRate: 0.05
  # What EQS is made of; must sum to 1.
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
  # Requests at once.
  num_workers: 20
  # max_cost_usd: 5                  # a run that has spent so much pauses; needs prices

# Any other option of the suite, named as POST /v1/submissions names it.
# options:
#   repeats: 1
#   logprobs: false

# public, or unlisted: shown to nobody but whoever knows the run's id
# visibility: public
`;
