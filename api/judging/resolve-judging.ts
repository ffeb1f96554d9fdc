import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Judge, Route } from "#shared/contracts/judging/judge.ts";
import type { JudgeChoice, RunJudging, RunRoute } from "#shared/contracts/judging/judging.ts";
import { recorded, recordedIn } from "#shared/contracts/judging/recorded-judges.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { providerNames, providerOf } from "#shared/contracts/submissions/providers.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { routeJudge, routeOf } from "#shared/judges/choose-judges.ts";
import { withManner } from "#shared/judges/judge-manner.ts";
import { promptHash } from "#shared/judges/judge-prompt.ts";
import type { JudgeClient } from "../providers/judges.ts";

/** The judges of a run, and notes about them. */
interface Judged {
  /** Null: the run is not judged. */
  judging: RunJudging | null;
  notes: string[];
}

/** Also has the judges of a run with the suite's default options. */
export interface ResolvedJudging extends Judged {
  standard: RunJudging | null;
}

type RunJudges = RunJudging["judges"];

/**
 * Determines a run's judges. Precedence: run, deployment, default of the metric. Errors list judges that the deployment
 * does not allow, and missing judges of metrics that every score needs. `given`: the judges of submitted judgments, for
 * the choice `recorded`; null if there are none.
 */
export function resolveJudging(
  client: JudgeClient,
  suite: Suite,
  options: unknown,
  given: RunJudges | null = null,
): Result<ResolvedJudging, FieldError[]> {
  const judged = judgedWith(client, suite, options, given);
  if (!judged.ok) return judged;
  return ok({ ...judged.value, standard: standardJudgingOf(client, suite) });
}

function judgedWith(
  client: JudgeClient,
  base: Suite,
  options: unknown,
  given: RunJudges | null = null,
): Result<Judged, FieldError[]> {
  const suite = suiteFor(base, options);
  const choice = suite.judging?.choice(options) ?? null;
  if (suite.judging === undefined || choice === null) return ok({ judging: null, notes: [] });
  const usesGiven = choice.judge === recorded && choice.judges.length === 0;
  if (usesGiven && given === null) return err([{ pointer: "/options/judge", detail: noneGiven }]);
  const barred = barredJudges(client, suite.judging.judges, choice);
  if (barred.length > 0) return err(barred);
  const called = judgingOf(client, suite, choice);
  const judging = usesGiven ? withGiven(called, choice, given ?? {}) : called;
  const without = (id: string) => judging.judges[id]?.routes.length === 0;
  const needed = suite.judging.needed.filter(without);
  if (needed.length > 0) {
    const detail = usesGiven ? unjudgedBy(needed) : nobody(client, suite, needed);
    return err([{ pointer: "/suite", detail }]);
  }
  const missing = suite.judging.judges.filter(({ id }) => without(id)).map(({ label }) => label);
  const why = usesGiven
    ? "no judgment of it was submitted"
    : "this deployment has no key for its judge";
  const notes = missing.map((label) => `${label} is not judged: ${why}`);
  return ok({
    judging,
    notes: usesGiven ? [givenNote, ...notes, ...unknownIn(given, suite)] : notes,
  });
}

/** Notes on judgments by criteria that a rubric no longer has. */
function unknownIn(given: RunJudges | null, { judging }: Suite): string[] {
  const unknown = Object.keys(given ?? {}).filter(
    (metric) => !judging?.judges.some(({ id }) => id === metric),
  );
  return unknown.map(
    (metric) => `submitted judgments of ${metric} are left out: the rubric has no such criterion`,
  );
}

const givenNote =
  "its judgments were submitted with the answers: this service did not ask their judges";

const noneGiven =
  '"recorded" uses judgments that are submitted with answers: give each answer its judgments, or name another judge';

const unjudgedBy = (metrics: readonly string[]): string =>
  `there is no score without judgments of ${metrics.join(", ")}, and no answer has one: add them, or name a judge for each in options.judgeOverrides`;

/** Submitted judgments for every metric that has no judge of its own; nothing is inferred about samples. */
function withGiven(
  { judges }: RunJudging,
  { judgeOverrides }: JudgeChoice,
  given: RunJudges,
): RunJudging {
  const none = { routes: [], by: "none", promptHash: "" };
  const its = Object.entries(judges).map(([id, called]) => {
    const { metric } = called;
    const own = { ...(given[id] ?? none), ...(metric && { metric }) };
    return [id, judgeOverrides[id] === undefined ? own : called];
  });
  return { judges: Object.fromEntries(its), stages: {} };
}

/** Judges of a run with the suite's default options; null if there are none. */
export function standardJudgingOf(client: JudgeClient, suite: Suite): RunJudging | null {
  const resolved = judgedWith(client, suite, suite.optionsSchema.parse({}));
  return resolved.ok ? resolved.value.judging : null;
}

function judgingOf(client: JudgeClient, suite: Suite, choice: JudgeChoice): RunJudging {
  const { deployment } = client;
  const shown = (route: Route): RunRoute => ({
    provider: route.provider,
    model: route.model,
    simulated: client.simulated.includes(route.provider),
  });
  const judges = (suite.judging?.judges ?? []).map((judge) => {
    const routed = routeJudge(judge, choice, deployment);
    const { routes, by } = routed.ok ? routed.value : { routes: [], by: "none" as const };
    const hash = promptHash(withManner(judge, choice));
    // Other suites have the metric in their catalogue.
    const metric = suite.withOptions && judge.figures[0].metric;
    const its = { routes: routes.map(shown), by, promptHash: hash, ...(metric && { metric }) };
    return [judge.id, its] as const;
  });
  const routeTo = (name: string, own: Route): RunRoute | null => {
    const named = deployment.routes[name];
    const route = named === undefined ? own : routeOf(named, deployment.providers);
    return deployment.providers.includes(route.provider) ? shown(route) : null;
  };
  const stages = (suite.stages ?? []).map(({ id, routes }) => {
    const ask = routeTo(id, routes.ask);
    const speak = routes.speak && routeTo("text_to_speech", routes.speak);
    const isOpen = ask !== null && speak !== null;
    return [id, isOpen ? { ask, ...(speak && { speak }) } : null] as const;
  });
  return { judges: Object.fromEntries(judges), stages: Object.fromEntries(stages) };
}

/** Judges that the run names but the deployment does not allow, because its operator pays for them. */
function barredJudges(
  { models, deployment }: JudgeClient,
  judges: readonly Judge[],
  { judge, judges: panel, judgeOverrides, fallbackJudge }: JudgeChoice,
): FieldError[] {
  const { providers, routes } = deployment;
  const named: [pointer: string, name: string | null | undefined][] = [
    ["/options/judge", judge === recorded ? null : judge],
    ["/options/fallbackJudge", fallbackJudge],
    ...panel.map((name, i): [string, string] => [`/options/judges/${i}`, name]),
    ...Object.entries(judgeOverrides).map(([metric, name]): [string, string] => [
      `/options/judgeOverrides/${metric}`,
      name,
    ]),
  ];
  const offeredFor = (its: readonly Judge[]) =>
    [
      ...its.flatMap(({ id, routeName = id }) => routes[routeName] ?? []),
      ...(deployment.fallbackJudge === null ? [] : [deployment.fallbackJudge]),
      ...its.map(({ route }) => `${route.provider}:${route.model}`),
      ...(models ?? []),
    ]
      .map((name) => routeOf(name, providers))
      .filter(({ provider }) => providers.includes(provider));
  const offered = offeredFor(judges);
  const suggested = tryThese(offeredFor(judges.filter(({ kind }) => kind === "asked")));
  const isOffered = (route: Route) =>
    offered.some(({ provider, model }) => provider === route.provider && model === route.model);
  return named.flatMap(([pointer, name]) => {
    if (name === null || name === undefined) return [];
    const route = routeOf(name, providers);
    if (!providers.includes(route.provider)) {
      const detail = `this deployment has no key for provider "${route.provider}" of judge "${name}"${keyHint(route)}${suggested}`;
      return [{ pointer, detail }];
    }
    if (models === null || isOffered(route)) return [];
    return [{ pointer, detail: `this deployment does not offer judge "${name}"${suggested}` }];
  });
}

/** Name of the environment variable with a key, as a service on the user's machine reads it. */
function keyHint({ provider }: Route): string {
  const known = providerNames.find((name) => name === provider);
  const variable = known === undefined ? null : providerOf(known).keyVariable;
  return variable === null ? "" : `; set ${variable} where it runs`;
}

function tryThese(offered: readonly Route[]): string {
  const names = [...new Set(offered.map(({ provider, model }) => `${provider}:${model}`))].sort();
  return names.length === 0 ? "; it has no judges" : `; it has ${names.join(", ")}`;
}

function nobody({ problem }: JudgeClient, suite: Suite, metrics: readonly string[]): string {
  if (problem !== null) return `this deployment's judges can't be asked: ${problem}`;
  return `suite ${suite.id} has no score without judges for ${metrics.join(", ")}, and this deployment has no key for them: set a provider's secret JUDGE_KEY_OPENAI, JUDGE_KEY_ANTHROPIC, JUDGE_KEY_GOOGLE or another's, or a route or fallback to one that has a key`;
}

/**
 * A run's judges with their current prompts.
 * @example withCurrentPrompts(suite, run.judging, options)
 */
export function withCurrentPrompts(
  suite: Suite,
  judging: RunJudging | null,
  options: unknown,
): RunJudging | null {
  if (judging === null || recordedIn(judging) !== null) return judging;
  const { judging: its } = suiteFor(suite, options);
  const manner = its?.choice(options) ?? {};
  const known = its?.judges ?? [];
  const hashes = new Map(known.map((one) => [one.id, promptHash(withManner(one, manner))]));
  const judges = Object.entries(judging.judges).map(([id, one]) => [
    id,
    { ...one, promptHash: hashes.get(id) ?? "" },
  ]);
  return { ...judging, judges: Object.fromEntries(judges) };
}
