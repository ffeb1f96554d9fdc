import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import { headerProblems } from "#shared/contracts/endpoint-headers.ts";
import type { AskModel, EndpointTarget } from "../platform/ports.ts";
import { endpointUrlProblem } from "../security/endpoint-url.ts";
import type { CallRules } from "../security/own-hosts.ts";

/**
 * A client that calls only what this deployment allows. Submissions were checked on arrival, but a
 * run can be older than the rules, or than the setting, that hold now.
 */
export function guardedAsk(ask: AskModel, rules: CallRules): AskModel {
  const problems = new WeakMap<EndpointTarget, { problem: string | null }>();
  return async (endpoint, ...rest) => {
    const looked = problems.get(endpoint) ?? { problem: endpointProblem(endpoint, rules) };
    problems.set(endpoint, looked);
    const { problem } = looked;
    return problem === null ? ask(endpoint, ...rest) : { kind: "answer", answer: blocked(problem) };
  };
}

function endpointProblem(endpoint: EndpointTarget, rules: CallRules): string | null {
  const inUrl = endpointUrlProblem(endpoint.baseUrl, rules);
  if (inUrl !== null) return `baseUrl ${inUrl}`;
  const [inHeader] = headerProblems(endpoint.headers ?? {});
  return inHeader ? `header "${inHeader.name}" ${inHeader.reason}` : null;
}

const blocked = (problem: string): Answer => ({
  ...emptyAnswer,
  requests: 1,
  error: { class: "blocked", message: `this deployment does not call the endpoint: ${problem}` },
});
