import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import { headerProblems } from "#shared/contracts/endpoint-headers.ts";
import type { AskModel, EndpointTarget } from "../pipeline/ports.ts";
import { endpointUrlProblem } from "../security/endpoint-url.ts";

/**
 * A client that calls only what this deployment allows. Submissions were checked on arrival, but a
 * run can be older than the rules, or than the setting, that hold now.
 */
export function guardedAsk(ask: AskModel, allowPrivate: boolean): AskModel {
  const problems = new WeakMap<EndpointTarget, { problem: string | null }>();
  return async (endpoint, ...rest) => {
    const looked = problems.get(endpoint) ?? { problem: endpointProblem(endpoint, allowPrivate) };
    problems.set(endpoint, looked);
    const { problem } = looked;
    return problem === null ? ask(endpoint, ...rest) : { kind: "answer", answer: blocked(problem) };
  };
}

function endpointProblem(endpoint: EndpointTarget, allowPrivate: boolean): string | null {
  const inUrl = endpointUrlProblem(endpoint.baseUrl, allowPrivate);
  if (inUrl !== null) return `baseUrl ${inUrl}`;
  const [inHeader] = headerProblems(endpoint.headers ?? {});
  return inHeader ? `header "${inHeader.name}" ${inHeader.reason}` : null;
}

const blocked = (problem: string): Answer => ({
  ...emptyAnswer,
  requests: 1,
  error: { class: "blocked", message: `this deployment does not call the endpoint: ${problem}` },
});
