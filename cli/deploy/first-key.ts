import { createdApiKeySchema } from "#shared/contracts/api-key.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import type { Questions } from "./questions.ts";

/** Makes the first API key and shows it; gives its id. Throws BadInput. */
export async function firstKey(
  service: ServiceClient,
  questions: Questions,
  tell: (line: string) => void,
): Promise<string> {
  const owner = await questions.text(
    "Whose models will it submit? The owner is the first part of their names.",
    "local",
  );
  const body = { owner, name: "first key", scopes: ["submit"] };
  const { value } = await service.post("/v1/keys", body, createdApiKeySchema);
  tell(`\nAn API key of ${value.owner}, shown this once:\n\n  ASSAY_API_KEY   ${value.key}\n`);
  return value.id;
}
