import { recordedIn } from "#shared/contracts/judging/recorded-judges.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import type { SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import {
  type SubmittedAnswer,
  unreadJudgments,
  unreadToolCalls,
} from "#shared/contracts/submissions/submitted-answer.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { jsonFlaw } from "#shared/contracts/text/well-formed.ts";
import { modelBatchErrors } from "../batches/batch-errors.ts";
import type { Settings } from "../platform/platform.ts";
import { rulesFor } from "../security/own-hosts.ts";
import { endpointUrlProblem } from "../security/public-url.ts";
import type { ResolvedSubmission, Submitter } from "./resolve-submission.ts";

/** Maximum runs of one submission: one batch stores them, and one reply shows their statuses. */
const MAX_RUNS = 256;

/** Maximum number of unknown ids that are listed; more are only counted. */
const MAX_NAMED = 20;

export function checkModels(
  submission: ResolvedSubmission,
  submitter: Submitter,
  settings: Settings,
): FieldError[] {
  const { models } = submission.request;
  const slugs = models.map((model) => modelSlug(model, submitter.owner));
  const errors = models.flatMap((model, i) => [
    ...slugErrors(model, slugs, i, submitter),
    ...endpointErrors(model, i, settings),
    ...hybridErrors(model, i, submission),
    ...answerErrors(model, i, submission, submitter),
    ...costErrors(model, i, submission.options),
    ...modelBatchErrors(model, i, submission.options["mode"]),
    ...sweepErrors(model, i, submission),
  ]);
  return [
    ...errors,
    ...runErrors(submission),
    ...hybridOptionErrors(submission),
    ...planErrors(submission, settings),
  ];
}

/** Errors for what the plan of the Cloudflare account can't execute. */
function planErrors(
  { request, plan }: ResolvedSubmission,
  { plan: limits, laneRequests }: Settings,
) {
  const errors: FieldError[] = [];
  if (plan.total > limits.runSamples) {
    const detail = `has ${plan.total} samples to score in a run, but this service runs on Cloudflare's Free plan, where a run has at most ${limits.runSamples}: draw fewer with options.sample {n, seed}`;
    errors.push({ pointer: "/dataset", detail });
  }
  // All units that a lane has in flight must fit into one invocation.
  const inFlight = Math.min(laneRequests, request.options.concurrency);
  const most = Math.floor(limits.requests / inFlight);
  const longest = plan.units.reduce((all, { samples }) => Math.max(all, samples.length), 0);
  if (longest > most && request.models.some(({ answers }) => answers === undefined)) {
    const detail = `asks for ${longest} samples one after the other, but on this service's plan at most ${most} fit into one invocation: choose options that ask for each sample alone`;
    errors.push({ pointer: "/options", detail });
  }
  return errors;
}

/**
 * Errors of a sweep: submitted answers can't be repeated with other parameters, and settings override the suite's
 * options.
 */
function sweepErrors(model: SubmittedModel, i: number, { variants, request }: ResolvedSubmission) {
  if ((variants[0]?.values ?? null) === null) return [];
  const { temperature, topP, seed, maxTokens } = model.endpoint?.settings ?? {};
  const isSet = [temperature, topP, seed, maxTokens].some((one) => one !== undefined);
  if (isSet && request.options.sweep !== undefined) {
    const detail =
      "temperature, topP, seed and maxTokens can't be set together with options.sweep: the variants of a sweep have their own";
    return [{ pointer: `/models/${i}/endpoint/settings`, detail }];
  }
  if (model.answers === undefined) return [];
  const [what, option] =
    request.options.sweep === undefined ? ["options.prompts", "prompts"] : ["a sweep", "sweep"];
  const detail = `"${model.name}" has submitted answers, but ${what} requests new ones: give an endpoint, or submit the answers of each variant without options.${option}`;
  return [{ pointer: `/models/${i}/answers`, detail }];
}

function runErrors({ request, variants }: ResolvedSubmission): FieldError[] {
  const [models, each] = [request.models.length, variants.length];
  if (models * each <= MAX_RUNS) return [];
  const detail = `${models} models × ${each} variants make ${models * each} runs, but a submission may have at most ${MAX_RUNS}: shorten the lists to ${Math.floor(MAX_RUNS / models)} variants, or submit ${Math.floor(MAX_RUNS / each)} models at a time`;
  return [{ pointer: "/options/sweep", detail }];
}

function hybridErrors(model: SubmittedModel, i: number, { suite }: ResolvedSubmission) {
  if (!model.hybrid || suite.hybridOptions) return [];
  const detail = `suite ${suite.id} asks one endpoint: give "${model.name}" an endpoint instead of hybrid`;
  return [{ pointer: `/models/${i}/hybrid`, detail }];
}

/** Hybrid options without a hybrid target are a mistake. */
function hybridOptionErrors({ suite, options, request }: ResolvedSubmission): FieldError[] {
  if (request.models.some((model) => model.hybrid)) return [];
  const set = (suite.hybridOptions ?? []).filter((name) => options[name]);
  const detail = "needs a model with hybrid {local, cloud, confidenceThreshold}";
  return set.map((name) => ({ pointer: `/options/${name}`, detail }));
}

/** A cost limit needs prices above zero. */
function costErrors(
  model: SubmittedModel,
  i: number,
  options: ResolvedSubmission["options"],
): FieldError[] {
  const limit = options["maxCostUsd"];
  if (limit === undefined) return [];
  if (model.answers !== undefined) {
    const detail = `"${model.name}" has submitted answers, so there is no cost to limit to ${limit} USD: leave options.maxCostUsd out, or submit this model separately`;
    return [{ pointer: `/models/${i}/answers`, detail }];
  }
  if (model.prices !== undefined) return [];
  const detail = `give prices {inputPerMillion, outputPerMillion}, USD per million tokens: without them options.maxCostUsd (${limit}) can't be enforced`;
  return [{ pointer: `/models/${i}/prices`, detail }];
}

function slugErrors(model: SubmittedModel, slugs: string[], i: number, submitter: Submitter) {
  const slug = slugs[i] ?? "";
  const at = (detail: string): FieldError[] => [{ pointer: `/models/${i}/slug`, detail }];
  if (slug.endsWith("/"))
    return at(`no slug can be derived from the name "${model.name}"; give one`);
  if (slugs.indexOf(slug) < i) return at(`duplicate slug "${slug}" in this submission`);
  if (!submitter.anyOwner && !slug.startsWith(`${submitter.owner}/`)) {
    return at(`"${slug}" belongs to another account; yours is "${submitter.owner}/…"`);
  }
  return [];
}

function endpointErrors(model: SubmittedModel, i: number, settings: Settings): FieldError[] {
  const { endpoint, hybrid } = model;
  const named = { endpoint, "hybrid/local": hybrid?.local, "hybrid/cloud": hybrid?.cloud };
  return Object.entries(named).flatMap(([name, its]) => {
    if (its === undefined) return [];
    const problem = endpointUrlProblem(its.baseUrl, rulesFor(its, settings));
    return problem === null ? [] : [{ pointer: `/models/${i}/${name}/baseUrl`, detail: problem }];
  });
}

function answerErrors(
  model: SubmittedModel,
  i: number,
  submission: ResolvedSubmission,
  submitter: Submitter,
) {
  const { suite, dataset, ids, plan } = submission;
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [j, answer] of (model.answers ?? []).entries()) {
    const { id } = answer;
    const row = `/models/${i}/answers/${j}`;
    const pointer = `${row}/id`;
    const unread = unreadToolCalls(answer, suite);
    if (unread !== null) errors.push({ pointer: `${row}/toolCalls`, detail: unread });
    const judgments = judgmentError(answer, submission, submitter);
    if (judgments !== null) {
      errors.push({ ...judgments, pointer: `${row}${judgments.pointer}` });
    }
    if (!ids.has(id)) {
      const detail = `"${id}" is not a sample of ${dataset.name}@${dataset.version.slice(0, 12)}`;
      errors.push({ pointer, detail });
    }
    const times = (seen.get(id) ?? 0) + 1;
    if (times === plan.repeats + 1) {
      errors.push({ pointer, detail: `"${id}" occurs more often than options.repeats allows` });
    }
    seen.set(id, times);
  }
  const more = errors.length - MAX_NAMED;
  if (more <= 0) return errors;
  const detail = `${more} more fields of its answers are invalid`;
  return [...errors.slice(0, MAX_NAMED), { pointer: `/models/${i}/answers`, detail }];
}

/** Judgments are used as recorded, or, if an admin vouches for them, as those of the service's judges. */
function judgmentError(
  answer: SubmittedAnswer,
  { suite, judging }: ResolvedSubmission,
  { anyOwner }: Submitter,
): FieldError | null {
  if (!answer.judgments && !answer.stages) return null;
  const pointer = answer.judgments ? "/judgments" : "/stages";
  const unread = unreadJudgments(answer, suite);
  if (unread !== null) return unread;
  const known = (suite.stages ?? []).map(({ id }) => id);
  const areKnown = Object.keys(answer.stages ?? {}).every((name) => known.includes(name));
  const flaw = areKnown ? jsonFlaw([answer.judgments, answer.stages]) : "has an unknown stage";
  if (flaw !== null) return { pointer, detail: flaw };
  if (judging === null) {
    const detail = `these options of suite ${suite.id} use no judge: leave it out, or set options.judge`;
    return { pointer, detail };
  }
  if (anyOwner || recordedIn(judging) !== null) return null;
  const detail =
    'the service asks its own judges: set options.judge to "recorded" to use these judgments instead, or leave them out';
  return { pointer, detail };
}
