import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import type { Submitted } from "../config/plan.ts";
import { idempotentCall } from "../remote/idempotent-call.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { type EndpointKeys, withEndpointKeys, withoutKeys } from "./endpoint-keys.ts";
import { dropNote, newNote, type RunNote, saveNote } from "./run-notes.ts";

const submittedSchema = submissionSchema.pick({ id: true, runs: true });

/** A submission whose runs are to be followed, and what is noted of it; null: it was not begun here. */
export interface Begun {
  submission: string;
  runs: { id: string }[];
  note: RunNote | null;
}

/**
 * Submits a request, and notes it before and after, so that a command that is killed meanwhile can be gone on
 * with. A note that is given has a submission sent again that nobody heard of.
 */
export async function submitRuns(
  service: ServiceClient,
  request: Submitted,
  keys: EndpointKeys,
  note: RunNote = newNote(service.origin, request),
): Promise<Begun> {
  const body = withEndpointKeys(request, keys);
  const { id, runs } = await withoutKeys(keys, () =>
    idempotentCall(
      note.key,
      async (headers) =>
        (await service.post("/v1/submissions", body, submittedSchema, headers)).value,
    ),
  ).catch((error) => {
    if (error instanceof ServiceError && !error.prospects.isPassing) dropNote(note);
    throw error;
  });
  const known = { ...note, submission: id };
  saveNote(known);
  return { submission: id, runs, note: known };
}
