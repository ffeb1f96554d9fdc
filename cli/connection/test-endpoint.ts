import { accessChecks } from "./access-checks.ts";
import { asker } from "./ask.ts";
import { type Check, failing, type Target } from "./check.ts";
import { type Latency, latencyOf } from "./latency.ts";
import { reach } from "./reach.ts";
import { chatCheck, featureChecks, structuredChecks } from "./structured-checks.ts";

/** What was found out about an endpoint. */
export interface TestedEndpoint {
  endpoint: string;
  model: string;
  /** Whether the model can be asked at all. */
  usable: boolean;
  checks: Check[];
  /** Null where it can't be asked. */
  latency: Latency | null;
}

/** Tries an endpoint from this machine, from its name to the last option; what can't work any more is left out. */
export async function testEndpoint(
  target: Target,
  tell: (what: string) => void,
): Promise<TestedEndpoint> {
  const of = (checks: Check[], latency: Latency | null = null): TestedEndpoint => ({
    endpoint: target.baseUrl,
    model: target.model,
    usable: latency !== null,
    checks,
    latency,
  });
  tell("connecting …");
  const checks = await reach(target.baseUrl);
  const isStuck = () => checks.some(({ outcome }) => outcome === "failed");
  if (isStuck()) return of(checks);
  const ask = asker(target);
  const { checks: access, listed } = await accessChecks(target, ask);
  checks.push(...access);
  if (isStuck()) return of(checks);
  tell("asking the model …");
  const { checks: chat, usual } = await chatCheck(target, ask, listed);
  checks.push(...chat);
  if (usual === null) return of(checks);
  tell("structured output …");
  checks.push(...(await structuredChecks(ask, usual)));
  tell("function calls, log probabilities, seed, streams …");
  checks.push(...(await featureChecks(ask, usual)));
  tell("latency …");
  const latency = await latencyOf(ask, usual);
  if (latency.n > 0) return of(checks, latency);
  checks.push(failing("latency", "Latency", "no answer came any more", "see rate limits and logs"));
  return of(checks);
}
