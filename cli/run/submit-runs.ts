import type { SubmissionInput } from "../config/plan.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { startRuns } from "../remote/start-runs.ts";
import { type EndpointKeys, withEndpointKeys, withoutKeys } from "./endpoint-keys.ts";
import { dropNote, type RunNote, saveNote } from "./run-notes.ts";

/** A sent submission with its note; null if another machine sent it. */
export interface StartedSubmission {
  submission: string;
  runs: { id: string }[];
  note: RunNote | null;
}

/**
 * Submits a request and saves its note before and after, so that a killed command can be resumed. With the
 * note of a submission whose reply never arrived, that submission is sent again.
 */
export async function submitRuns(
  service: ServiceClient,
  request: SubmissionInput,
  keys: EndpointKeys,
  note: RunNote,
): Promise<StartedSubmission> {
  const body = withEndpointKeys(request, keys);
  const { id, runs } = await withoutKeys(keys, () =>
    startRuns(service, body, { key: note.key }),
  ).catch((error) => {
    if (error instanceof ServiceError && !error.prospects.isPassing) dropNote(note);
    throw error;
  });
  const known = { ...note, submission: id };
  saveNote(known);
  return { submission: id, runs, note: known };
}
