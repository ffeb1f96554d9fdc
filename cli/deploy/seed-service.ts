import { createdApiKeySchema } from "#shared/contracts/keys/api-key.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import type { DeployOptions } from "./deploy-options.ts";
import type { Deployment } from "./deployment-state.ts";
import { adminClient, FIRST_SOURCE, loadFirstDataset, loadStock } from "./load-datasets.ts";
import type { Questions } from "./questions.ts";
import { waitForOperator } from "./wait-for-service.ts";

interface FillWorld {
  questions: Questions;
  print: (line: string) => void;
  /** Stores the progress, so that the next deployment continues there. */
  save: (deployment: Deployment) => Promise<void>;
}

/**
 * Creates the first data and the first key of a service, if the operator's secret is known. `operator`: that
 * secret; null if the Worker has an unknown secret. Throws BadInput.
 */
export async function seedService(
  deployment: Deployment,
  operator: string | null,
  options: DeployOptions,
  world: FillWorld,
): Promise<Deployment> {
  const { questions, print, save } = world;
  const filled = { ...deployment };
  const wantsData = filled.datasetRevision === null || options.datasetRevision !== null;
  if (!wantsData && filled.firstKey !== null) return filled;
  print("\nData and key");
  const secret =
    operator ?? (await questions.secret("OPERATOR_SECRET, to continue (Enter: skip):"));
  if (secret === "") {
    print("  left out: the first key and datasets need OPERATOR_SECRET in the environment");
    return filled;
  }
  await waitForOperator(filled.origin!, secret);
  const service = adminClient(filled.origin!, secret, "OPERATOR_SECRET");
  if (wantsData) {
    await loadStock(service);
    print("  stock: the dataset of each suite");
    if (await importsFirst(options, questions)) {
      const wanted = options.datasetRevision ?? filled.datasetRevision;
      filled.datasetRevision = await loadFirstDataset(service, wanted || null, print);
    } else filled.datasetRevision ??= "";
    await save(filled);
  }
  // Everybody could read the key in the log of a job.
  if (filled.firstKey === null && questions.isAttended) {
    filled.firstKey = await firstKey(service, questions, print);
    await save(filled);
  }
  return filled;
}

async function importsFirst(
  { importsDataset }: DeployOptions,
  questions: Questions,
): Promise<boolean> {
  if (importsDataset !== null) return importsDataset;
  if (!questions.isAttended) return false;
  return questions.confirm(
    `Import ${FIRST_SOURCE} (484 samples, Apache-2.0) as the first extraction board?`,
    true,
  );
}

/** Creates the first API key and shows it; returns its id. Throws BadInput. */
async function firstKey(
  service: ServiceClient,
  questions: Questions,
  print: (line: string) => void,
): Promise<string> {
  const owner = await questions.text(
    "Whose models will it submit? The owner is the first part of their names.",
    "local",
  );
  const body = { owner, name: "first key", scopes: ["submit"] };
  const value = await service.post("/v1/keys", body, createdApiKeySchema);
  print(`\nAn API key of ${value.owner}, shown this once:\n\n  ASSAY_API_KEY   ${value.key}\n`);
  return value.id;
}
