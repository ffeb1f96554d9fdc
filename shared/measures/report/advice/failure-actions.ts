import type { ErrorClass } from "../../../contracts/answer.ts";
import type { Advice } from "./advice.ts";

type Action = Pick<Advice, "change" | "action">;

const parameters = (action: string): Action => ({ change: "parameters", action });

const data = (action: string): Action => ({ change: "data", action });

/** What to do about failed requests, by error class. */
export const failureActions: Readonly<Record<ErrorClass, Action>> = {
  timeout: parameters("Allow more time for a request, or lower the concurrency of the run."),
  rate_limited: parameters(
    "Lower the concurrency of the run, or have the endpoint's rate limit raised; if its message names credits or a quota, add to them.",
  ),
  server_error: parameters(
    "Read the message, and the log of the endpoint or program; if it was overloaded, lower the concurrency.",
  ),
  network: parameters(
    "Check the endpoint's address and port, that its server runs, and that this service can reach it for as long as the run takes.",
  ),
  bad_request: parameters(
    "Read what the endpoint refused: usually the model's name, or an option that it does not support.",
  ),
  unauthorized: parameters(
    "Check the endpoint's key: that it is given, is still valid, and may use this model.",
  ),
  not_found: parameters(
    "Check the endpoint's address (that of a model ends before /chat/completions), and the model's name.",
  ),
  redirect: parameters(
    "Give the address that the endpoint redirects to: redirects are not followed.",
  ),
  blocked: parameters("Give an address that this service may call: it sent nothing to this one."),
  no_runner: parameters("Start the runner of this endpoint with assay runner, then retry the run."),
  too_large: parameters("Ask for shorter answers, or for samples that the endpoint can take."),
  invalid_response: parameters(
    "Check that the address is that of a model endpoint, and that protocol names the interface it speaks.",
  ),
  missing_answer: data(
    "Check the system that made these answers: they were submitted as failed requests.",
  ),
  not_submitted: data("Submit an answer to every sample; each missing answer counts as 0."),
  lost: parameters("Retry the failed samples: the service itself lost these."),
};
