import { suites } from "#shared/suites/registry.ts";
import { submitCommand as commandAt, endpointExample } from "../../format/submit-command.ts";
import { settings } from "../settings.ts";

/** The call that submits `body` to this deployment, to paste into a shell. */
export const submitCommand = (body: unknown): string => commandAt(settings.apiOrigin, body);

export const exampleSubmission = {
  suite: suites[0]?.id,
  dataset: settings.firstDatasets.get(suites[0]?.id ?? "") ?? "stock",
  models: [{ name: "Your model", endpoint: endpointExample }],
  visibility: "unlisted",
};

/** An address of the API; links in results may be absolute or start with a slash. */
export const apiUrl = (link: string): string => new URL(link, `${settings.apiOrigin}/`).href;
