import type { Run, RunModel } from "../../contracts/run.ts";
import { isKnownHost, providerNames, providerOf } from "../../contracts/submissions/providers.ts";

/** The version of the records' schema. Source: evaleval/every_eval_ever, eval.schema.json. */
export const SCHEMA_VERSION = "0.3.0";

type Named = Pick<Run, "id" | "suite" | "model" | "dataset">;

/**
 * A run's globally unique id; the same in every export.
 * @example evaluationId(run) // "assay/extraction/acme/large/run_01"
 */
export const evaluationId = ({ id, suite, model }: Named): string =>
  `assay/${suite}/${model.slug}/${id}`;

/** Id of a run's result for a metric, which sample records refer to. */
export const resultId = (run: Named, metric: string): string => `${evaluationId(run)}/${metric}`;

/** Name of the evaluation in other tools. */
export const evaluationName = ({ suite, dataset }: Named): string =>
  `assay.${suite}.${dataset.name}`;

/** A time in seconds of the Unix epoch, as text. */
export const epochText = (iso: string): string => `${Math.floor(Date.parse(iso) / 1000)}`;

/** Two-part paths of Hugging Face that are not models. */
const otherPages = /^(?:blog|collections|datasets|docs|learn|organizations|papers|spaces)\//;

/** The repository of a model's page on Hugging Face; null for any other page. */
function hubModel(url: string | null): string | null {
  const page = /^https:\/\/huggingface\.co\/([\w.-]+\/[\w.-]+)(?:\/(?:tree|blob)\/.*)?\/?$/;
  const name = page.exec(url ?? "")?.[1];
  return name === undefined || otherPages.test(name) ? null : name;
}

/**
 * The id of a run's model in other tools: its repository on Hugging Face, if its page is there, else its slug.
 * @example modelId({ slug: "acme/large", url: "https://huggingface.co/acme-labs/Large" }) // "acme-labs/Large"
 */
export const modelId = ({ slug, url }: Pick<RunModel, "slug" | "url">): string =>
  hubModel(url) ?? slug;

/** Who ran the model, and whether its weights are available. Source: eval.schema.json, model_info. */
export interface Hosting {
  deployment_type: "self_deployed" | "externally_managed" | "unknown";
  model_availability: "open_weights" | "closed_weights" | "unknown";
}

const loopback = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

function deploymentAt(host: string): Hosting["deployment_type"] {
  if (loopback.test(host)) return "self_deployed";
  return isKnownHost(`https://${host}`) ? "externally_managed" : "unknown";
}

/**
 * Hosting facts from the called hosts and the model's page: this machine and known providers show who ran the model, a
 * Hugging Face repository shows that its weights are available. Anything else is `unknown`; names are not interpreted.
 */
export function hostingOf({ model, provenance }: Pick<Run, "model" | "provenance">): Hosting {
  const hosts = [provenance.endpointHost, provenance.cloudHost].filter((host) => host != null);
  const [first = "unknown", ...others] = hosts.map(deploymentAt);
  return {
    deployment_type: others.every((one) => one === first) ? first : "unknown",
    model_availability: hubModel(model.url) === null ? "unknown" : "open_weights",
  };
}

/** Hosting facts about a judge, from its provider. Hugging Face serves models of its repositories. */
export function judgeHosting(provider: string): Hosting {
  const name = providerNames.find((one) => one === provider);
  const isHere = name && providerOf(name).baseUrl?.startsWith("http://localhost");
  return {
    deployment_type:
      name === undefined ? "unknown" : isHere ? "self_deployed" : "externally_managed",
    model_availability: provider === "huggingface" ? "open_weights" : "unknown",
  };
}

/**
 * A model in a record.
 * @example recordedModel("Large", "acme/large", hosting, {}).id // "acme/large"
 */
export const recordedModel = (
  name: string,
  id: string,
  hosting: Hosting,
  details: Readonly<Record<string, string>>,
) => ({ name, id, additional_details: { ...hosting, ...details } });
