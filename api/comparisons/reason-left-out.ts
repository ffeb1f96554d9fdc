import { coverageFloor } from "#shared/contracts/coverage-floor.ts";
import { coverageReason } from "../boards/coverage-reason.ts";
import type { RunRecord } from "../platform/ports.ts";

type EndedRun = Pick<
  RunRecord,
  "status" | "statusReason" | "variant" | "refused" | "metrics" | "headline" | "endpoint"
>;

/**
 * Why a variant that has ended says nothing of its parameters; null where it does. Failed requests count as
 * zeros, so that a variant which mostly failed would seem to be a bad one; and what an endpoint refuses is
 * left out of its requests, so that the answers are not those of the variant.
 */
export function reasonLeftOut(run: EndedRun): string | null {
  const { status, statusReason } = run;
  if (status !== "finished") return statusReason === null ? status : `${status}: ${statusReason}`;
  const refused = refusedNames(run);
  if (refused.length > 0) {
    return `the endpoint refuses ${refused.join(" and ")}, so it was asked without`;
  }
  const headline = run.metrics?.[run.headline];
  if (headline === undefined || headline.value === null) return "no sample could be scored";
  return headline.coverage < coverageFloor ? coverageReason(headline.coverage) : null;
}

/** What the variant sets and the endpoint does not take; null sets nothing. */
function refusedNames({ variant, refused, endpoint }: EndedRun): string[] {
  const sent = Object.entries(variant ?? {}).filter(([, value]) => value !== null);
  return sent.flatMap(([name]) => {
    const wire = name === "max_tokens" ? (endpoint?.maxTokensParam ?? name) : name;
    return refused.parameters.includes(wire) ? [name] : [];
  });
}
