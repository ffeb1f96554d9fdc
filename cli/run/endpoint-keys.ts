import { BadInput } from "../bad-input.ts";
import type { Plan, Submitted } from "../config/plan.ts";

/** A request with the keys of its endpoints, and those keys, which nothing may print. */
export function withEndpointKeys(
  { request, keyVariables }: Plan,
  env: NodeJS.ProcessEnv,
): { request: Submitted; keys: string[] } {
  const keys: string[] = [];
  const models = request.models.map((model, i) => {
    const variable = keyVariables[i] ?? null;
    if (variable === null || model.endpoint === undefined) return model;
    const apiKey = env[variable]?.trim();
    if (!apiKey) {
      // The name is not told: somebody may have put the key there.
      const what = "the environment variable named for its key is set neither there nor in .env";
      throw new BadInput(`${model.name}: ${what}`);
    }
    keys.push(apiKey);
    return { ...model, endpoint: { ...model.endpoint, apiKey } };
  });
  return { request: { ...request, models }, keys };
}

/** Does what may fail with a message that quotes keys, which are then left out. */
export async function withoutKeys<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) {
      for (const key of keys) error.message = error.message.replaceAll(key, "…");
    }
    throw error;
  }
}
