import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { Run } from "#shared/contracts/run.ts";
import { BATCH_PRICE_RATIO } from "#shared/contracts/submissions/providers.ts";
import { scaledPrices } from "#shared/measures/performance/token-cost.ts";
import { endpointExample } from "../format/submit-command.ts";

type Repeated = Pick<
  Run,
  "suite" | "dataset" | "model" | "options" | "hybrid" | "prices" | "judging" | "provenance"
>;

/** The submission that repeats a run: same suite, dataset version, options, prices, judges and kind of target. */
export const repeatSubmission = (run: Repeated) => ({
  suite: run.suite,
  dataset: `${run.dataset.name}@${run.dataset.version.slice(0, 12)}`,
  models: [{ name: run.model.name, ...targetLike(run), ...livePrices(run) }],
  options: { ...run.options, ...judgesOf(run) },
});

/** Prices as submitted: for a run in batches, the stored prices are what it paid. */
function livePrices({ prices, options }: Repeated) {
  if (prices === null) return {};
  const isBatched = options["mode"] === "batch";
  return { prices: isBatched ? scaledPrices(prices, 1 / BATCH_PRICE_RATIO) : prices };
}

function targetLike({ hybrid, provenance: { protocol, settings } }: Repeated) {
  const asked = {
    ...endpointExample,
    ...(protocol !== undefined && { protocol }),
    ...(settings !== undefined && { settings }),
  };
  if (hybrid === null) return { endpoint: asked };
  const local = { ...asked, baseUrl: "https://device.example.com/v1" };
  const { confidenceThreshold } = hybrid;
  return { hybrid: { local, cloud: endpointExample, confidenceThreshold } };
}

/**
 * The judges that the deployment chose, by name, if the suite lets a run name judges by metric: another deployment, or
 * this one later, may choose others. The run's own choice is in its options.
 */
function judgesOf({ judging, options }: Repeated): JsonObject {
  // Submitted judgments belong to submitted answers; the command requests new judgments.
  if (options["judge"] === "recorded") return { judge: null };
  const own = options["judgeOverrides"];
  if (judging === null || !isJsonObject(own)) return {};
  const chosen = Object.entries(judging.judges).flatMap(([metric, { routes, by }]) => {
    const [route] = routes;
    if (route === undefined || routes.length > 1 || by === "run") return [];
    return [[metric, `${route.provider}:${route.model}`] as const];
  });
  return { judgeOverrides: { ...Object.fromEntries(chosen), ...(own as JsonObject) } };
}
