import type { Answer } from "#shared/contracts/answer.ts";
import { cutText } from "#shared/contracts/bounds.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import { isUnknownHost } from "../providers/failure.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { StoredSample } from "../runs/stored-samples.ts";

/** Maximum characters of an endpoint's message in the reason of a run, which is shown in lists. */
const MOST_SAID = 160;

/**
 * Why the endpoint can answer no other sample either, judging by the answers of one unit; null if they don't show that.
 * Reasons are a refused key, a missing model or path, or an unknown host. A 403 is not one, because firewalls answer
 * single prompts with it.
 */
export function hopelessness(
  samples: readonly Pick<StoredSample, "answer">[],
  { samplesOwner }: Pick<RunRecord, "samplesOwner">,
): string | null {
  if (!samples.every(({ answer }) => isHopeless(answer))) return null;
  const error = samples[0]?.answer.error;
  if (error == null) return null;
  // A message may quote a hidden sample.
  const quoted = samplesOwner === null ? ` (${cutText(error.message, MOST_SAID)})` : "";
  return `${error.class.replaceAll("_", " ")}${quoted}. ${failureActions[error.class].action}`;
}

function isHopeless({ error, httpStatus }: Answer): boolean {
  if (error === null) return false;
  if (error.class === "unauthorized") return httpStatus !== 403;
  return error.class === "not_found" || isUnknownHost(error);
}

/** The reason of a run that was stopped before all samples had failed. */
export const hopelessReason = (reason: string): string =>
  `stopped, because the endpoint answered none of the first samples: ${reason} Once that is fixed, retry the run to evaluate all samples`;
