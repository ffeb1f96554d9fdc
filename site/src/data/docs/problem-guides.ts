import type { ProblemType } from "#shared/contracts/problem.ts";

/** The meaning of each kind of error and what to do; the compiler requires one for each type. */
export const problemGuides: Record<ProblemType, { meaning: string; action: string }> = {
  "invalid-request": {
    meaning:
      "The body is JSON, but a field is missing, of the wrong type, out of range or unknown. Nothing was stored.",
    action:
      "Correct each field listed in `errors`: its `pointer` says where in the body, its `detail` what is expected there.",
  },
  "malformed-json": {
    meaning:
      "The body can't be read as JSON, or a line of an uploaded file can't. Nothing was stored.",
    action: "Send UTF-8 JSON without comments or trailing commas; for JSONL, one object a line.",
  },
  "malformed-samples": {
    meaning:
      "Rows of the dataset can't be used: they are not JSON, lack a field, or contradict their own schema.",
    action:
      "Correct or leave out the rows listed in `errors` (each with its `line`), then upload the dataset again.",
  },
  "unsupported-media-type": {
    meaning: "The request's `content-type` is not accepted at this address.",
    action: "Send the content type named in the detail, `application/json` for most calls.",
  },
  "body-too-large": {
    meaning: "The body is larger than one call may be.",
    action: "Split the upload, or leave out samples or fields that are not needed.",
  },
  unauthorized: {
    meaning: "The call needs an API key, but has none, or an unknown one.",
    action: "Send the header `authorization: Bearer` followed by your key.",
  },
  forbidden: {
    meaning:
      "The key is known but may not do this: it lacks the scope, or the resource belongs to another account.",
    action: "Use a key with the scope named in the detail, or one of the owner's.",
  },
  "not-found": {
    meaning: "There is nothing at this address, or it has been deleted or hidden.",
    action: "Check the id for a missing character. Ids are case-sensitive.",
  },
  "method-not-allowed": {
    meaning: "There is something at this address, but it does not take this method.",
    action: "Use one of the methods in the header `allow`.",
  },
  gone: {
    meaning:
      "The resource existed but was deleted because of its age, such as the raw answers of an old run.",
    action:
      "Use what is kept: the run's metrics, breakdown and sample rows stay. To have raw answers again, submit the model again.",
  },
  conflict: {
    meaning:
      "The resource is in a state that does not allow this, such as a finished run, which can't be cancelled.",
    action: "Read the run again: its `status` shows its state, and its links the possible actions.",
  },
  "not-comparable": {
    meaning:
      "The runs answered different samples, were asked in different ways or scored by different rules, so their scores would differ even if the models did not.",
    action:
      "Choose runs that have equal values for the fields in `errors`. To get such a run, submit the model again with the options and the dataset version of the others.",
  },
  "not-ready": {
    meaning: "The result is not ready yet, such as the report of a run that has not finished.",
    action: "Ask again later: wait as long as `retry-after` says, or follow the run's progress.",
  },
  "idempotency-key-reused": {
    meaning:
      "This `idempotency-key` was used for a different request (another address or body). Nothing was done.",
    action:
      "Make a new key for each new request, such as a UUID, and send the same key only to repeat an identical request. Keys are forgotten after 24 hours.",
  },
  "request-in-progress": {
    meaning:
      "An earlier request with this `idempotency-key` has not been answered yet. This one did nothing.",
    action:
      "Send the same request again after `retry-after` seconds: it returns the first request's result.",
  },
  "too-many-requests": {
    meaning: "More requests came from this API key or this address than the rate limit allows.",
    action:
      "Wait as long as `retry-after` says, then send fewer requests. Without a key, comparisons, exports and searches also pass with a proof of work for the challenge in `assay-challenge`. To follow a run, ask as often as its own `retry-after` says.",
  },
  "quota-exceeded": {
    meaning:
      "The submission needs more samples, or more money for judges, than the rest of the daily quota. Nothing was stored.",
    action:
      "Submit after midnight UTC, as `retry-after` says, or fewer samples with `options.sample`. `GET /v1/usage` shows what is left; a higher quota comes from the operator.",
  },
  unavailable: {
    meaning:
      "The database, the object storage or a queue of the service does not answer. The request is not the cause. Runs continue by themselves once it is back.",
    action:
      "Send the same request again after `retry-after` seconds; where it creates something, with the same `Idempotency-Key`, since the first one may have been carried out.",
  },
  "database-full": {
    meaning:
      "The database of the service is close to its maximum size, so no new runs are accepted. Existing runs continue, and everything can be read.",
    action:
      "Submit again later: rows of runs that ended move out of the database every minute. If the error persists, tell the operator, who deletes runs or deploys a second service.",
  },
  "internal-error": {
    meaning: "The service failed. The request is not the cause.",
    action:
      "Try again in a moment. If the error persists, report it with the `requestId` of the answer.",
  },
};
