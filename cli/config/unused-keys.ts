import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import { reportFormat } from "../run/run-outputs.ts";
import { type Finding, type KeyPath, warning } from "./finding.ts";

const noFolder = "set results_dir or the flag --output";

interface Idle {
  path: KeyPath;
  /** Whether the file has the key with a value that would have an effect. */
  isSet: (config: RunConfig) => boolean;
  why: string;
}

const idle: readonly Idle[] = [
  {
    path: ["dataset", "split"],
    isSet: ({ dataset }) => dataset?.split !== undefined && !mayBeImported(dataset),
    why: "datasets of the service are always evaluated completely; a split is chosen when a dataset is imported",
  },
  {
    path: ["dataset", "config"],
    isSet: ({ dataset }) => dataset?.config !== undefined && !mayBeImported(dataset),
    why: "it is chosen when a dataset is imported",
  },
  {
    path: ["dataset", "cache_dir"],
    isSet: ({ dataset }) => dataset?.cache_dir !== undefined && !mayBeImported(dataset),
    why: "it is for datasets of Hugging Face, named owner/name; the service stores its own",
  },
  {
    path: ["dataset", "random_seed"],
    isSet: ({ dataset }) => dataset?.random_seed !== undefined && dataset.sample_size === undefined,
    why: "it selects the samples of sample_size, which is not given",
  },
  {
    path: ["output", "save_predictions"],
    isSet: ({ output }) => output?.save_predictions === true && isNowhere(output),
    why: noFolder,
  },
  {
    path: ["output", "generate_report"],
    isSet: ({ output }) => output?.generate_report === true && isNowhere(output),
    why: noFolder,
  },
  {
    path: ["output", "report_format"],
    isSet: ({ output: { report_format: format } = {} }) =>
      format !== undefined && reportFormat(format) === null,
    why: "a report is written as html, markdown or json",
  },
  {
    path: ["performance", "batch_size"],
    isSet: ({ performance }) => performance?.batch_size !== undefined,
    why: "a request has one sample; num_workers sets the number of concurrent requests",
  },
  {
    path: ["performance", "cache_dir"],
    isSet: ({ performance }) =>
      performance?.cache_dir !== undefined && performance.enable_caching !== true,
    why: "it is for reused answers: set enable_caching: true",
  },
];

/** Warnings of known keys without an effect, each with the reason. */
export const unusedKeys = (config: RunConfig): Finding[] =>
  idle
    .filter(({ isSet }) => isSet(config))
    .map(({ path, why }) => warning(path, `no effect: ${why}`));

const isNowhere = ({ results_dir: folder }: NonNullable<RunConfig["output"]>) =>
  folder === undefined;

/** Whether a dataset may be on Hugging Face. */
const mayBeImported = ({ name }: NonNullable<RunConfig["dataset"]>) =>
  name === undefined || name.startsWith("hf:") || name.includes("/");
