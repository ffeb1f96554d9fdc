import type { Run } from "#shared/contracts/run.ts";
import { settings } from "./settings.ts";
import { suites } from "./suites.ts";

// A single quote ends the shell's string; '\'' puts one inside it.
const quoteShell = (text: string): string => text.replaceAll("'", "'\\''");

/** The call that submits `body`, to paste into a shell. */
export function submitCommand(body: unknown): string {
  return [
    `curl ${settings.apiOrigin}/v1/submissions \\`,
    `  -H "authorization: Bearer $ASSAY_KEY" \\`,
    `  -H "content-type: application/json" \\`,
    `  -d '${quoteShell(JSON.stringify(body, null, 2))}'`,
  ].join("\n");
}

const endpointExample = {
  baseUrl: "https://api.example.com/v1",
  model: "your-model",
  apiKey: "sk-your-key",
};

export const exampleSubmission = {
  suite: suites[0]?.id,
  dataset: "stock",
  models: [{ name: "Your model", endpoint: endpointExample }],
};

/** The submission that repeats a run: same suite, dataset version, options and kind of target. */
export const repeatSubmission = (run: Run) => ({
  suite: run.suite,
  dataset: `${run.dataset.name}@${run.dataset.version.slice(0, 12)}`,
  models: [{ name: run.model.name, ...targetLike(run) }],
  options: run.options,
});

function targetLike({ hybrid }: Run) {
  if (hybrid === null) return { endpoint: endpointExample };
  const local = { ...endpointExample, baseUrl: "https://device.example.com/v1" };
  const { confidenceThreshold } = hybrid;
  return { hybrid: { local, cloud: endpointExample, confidenceThreshold } };
}

/** An address of the API; links in results may be absolute or start with a slash. */
export const apiUrl = (link: string): string => new URL(link, `${settings.apiOrigin}/`).href;
