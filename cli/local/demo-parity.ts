import { paritySchema } from "#shared/contracts/boards/parity.ts";
import { type Submission, submissionSchema } from "#shared/contracts/submissions/submission.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { stockName } from "./load-stock.ts";
import type { Stack } from "./stack.ts";

/** Name of the demo's parity. */
export const demoParity = "demo/sim-hosted";

/** Largest acceptable loss of call F1. */
const MARGIN = 0.05;

interface DemoHost {
  label: string;
  /** The simulated model behind it. */
  model: string;
  prices: { inputPerMillion: number; outputPerMillion: number };
}

/**
 * One model at three hosts. B has the same quality as A with other random draws. C loses every fifth call, so that its
 * call F1 is about lower by 0.2 times the share of samples with an expected call, and breaks some arguments.
 */
const reference: DemoHost = {
  label: "Host A",
  model: "sim-large?seed=11&latency=150&p95=400",
  prices: { inputPerMillion: 2.5, outputPerMillion: 10 },
};
const others: readonly DemoHost[] = [
  {
    label: "Host B",
    model: "sim-large?seed=12&latency=100&p95=250",
    prices: { inputPerMillion: 2, outputPerMillion: 8 },
  },
  {
    label: "Host C",
    model: "sim-large?seed=13&latency=60&p95=120&mistakes=missed_call:0.2,malformed_arguments:0.05",
    prices: { inputPerMillion: 1, outputPerMillion: 4 },
  },
];

/** Options of each run; with several answers per sample, chance differences between hosts are smaller. */
const options = { repeats: 3, temperature: 0.6 };

/** Submits the reference's run, unless the service has the parity. */
export async function submitReference(
  api: ServiceClient,
  { simulator }: Stack,
): Promise<Submission | null> {
  try {
    await api.get(`/v1/parities/${demoParity}`, paritySchema);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.prospects.status !== 404) throw error;
  }
  const { model, prices } = reference;
  const request = {
    suite: "tools",
    dataset: stockName,
    visibility: "public",
    options,
    models: [
      {
        name: "Sim Hosted",
        slug: "demo/sim-hosted",
        simulated: true,
        prices,
        endpoint: { baseUrl: simulator, model, apiKey: "demo" },
      },
    ],
  };
  return await api.post("/v1/submissions", request, submissionSchema);
}

/** States the margin, then starts the runs of the other hosts. The reference's run must be finished. */
export async function submitHosts(
  api: ServiceClient,
  { simulator }: Stack,
  { runs: [run] }: Submission,
): Promise<Submission[]> {
  const { label } = reference;
  const body = { name: demoParity, reference: { run: run?.id, label }, margin: MARGIN };
  await api.post("/v1/parities", body, paritySchema);
  const submissions: Submission[] = [];
  for (const host of others) {
    const endpoint = { baseUrl: simulator, model: host.model, apiKey: "demo" };
    const added = { label: host.label, prices: host.prices, endpoint };
    const path = `/v1/parities/${demoParity}/hosts`;
    submissions.push(await api.post(path, added, submissionSchema));
  }
  return submissions;
}
