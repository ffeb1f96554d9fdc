import { accessible } from "#shared/connection/access-checks.ts";
import type { Surroundings, Target } from "#shared/connection/check.ts";
import { testModel, untested } from "#shared/connection/test-model.ts";
import type { Connection, TestedAddress } from "#shared/contracts/submissions/connection.ts";
import type { Platform } from "../platform/platform.ts";

/** Maximum time of a test, and of one request in it, because readers wait for the reply. */
const TEST_MS = 90_000;
const REQUEST_MS = 30_000;

const advice: Surroundings["advice"] = {
  noKey: "give one",
  wrongKey: "check it",
  noModel: "give the name of the model",
  slow: "is it a model server, and not too busy?",
  loading: "the model may still be loading: try again",
  limitParam: "Assay sends max_completion_tokens by itself",
  temperature: "Assay leaves it out by itself",
  effort: "choose an effort in the settings",
  protocol: "choose the interface ",
};

/** Tests an endpoint by calling it from the service; without a model, only lists its models. Stores nothing. */
export async function testConnection(
  platform: Pick<Platform, "connect" | "now">,
  { model, apiKey, headers, protocol, baseUrl, settings }: TestedAddress,
): Promise<Connection> {
  const around = { connect: platform.connect(platform.now() + TEST_MS), advice };
  const target: Target = {
    baseUrl,
    protocol,
    model: model ?? "",
    apiKey: apiKey ?? null,
    timeoutMs: REQUEST_MS,
    ...(headers && { headers }),
    ...(settings && { settings }),
  };
  if (model !== undefined) return testModel(target, around);
  const { checks, listed, target: its } = await accessible(target, protocol !== undefined, around);
  return { ...untested(its, checks), models: listed };
}
