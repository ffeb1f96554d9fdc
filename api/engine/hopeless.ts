import type { Answer } from "#shared/contracts/answer.ts";
import { cutText } from "#shared/contracts/bounds.ts";
import { failureActions } from "#shared/measures/report/advice/failure-actions.ts";
import { isUnknownHost } from "../providers/failure.ts";
import type { RunRecord } from "../runs/schema.ts";
import type { StoredSample } from "../runs/stored-samples.ts";

/** Characters of an endpoint's message in the reason of a run: it is shown in lists. */
const MOST_SAID = 160;

/**
 * Why the endpoint can answer no other sample either, by the answers of one unit; null if they do not say so. It is a
 * refused key, a missing model or path, or a host that does not exist. Not a 403: firewalls answer it to single prompts.
 */
export function hopelessness(
  samples: readonly Pick<StoredSample, "answer">[],
  { samplesOwner }: Pick<RunRecord, "samplesOwner">,
): string | null {
  if (!samples.every(({ answer }) => isHopeless(answer))) return null;
  const error = samples[0]?.answer.error;
  if (error == null) return null;
  // A message may quote a hidden sample.
  const said = samplesOwner === null ? ` (${cutText(error.message, MOST_SAID)})` : "";
  return `${error.class.replaceAll("_", " ")}${said}. ${failureActions[error.class].action}`;
}

function isHopeless({ error, httpStatus }: Answer): boolean {
  if (error === null) return false;
  if (error.class === "unauthorized") return httpStatus !== 403;
  return error.class === "not_found" || isUnknownHost(error);
}

/** The reason of a run that was stopped before all samples failed. */
export const hopelessReason = (reason: string): string =>
  `stopped, because the endpoint answered none of the first samples: ${reason} Once that is fixed, retry the run to evaluate all samples`;
