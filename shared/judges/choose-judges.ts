import type { Judge, Route } from "../contracts/judging/judge.ts";
import type { JudgeChoice } from "../contracts/judging/judging.ts";
import { err, ok, type Result } from "../contracts/result.ts";
import { makersOf } from "./model-family.ts";

/** The judges that a deployment offers. */
export interface JudgeDeployment {
  /** Providers with a key. */
  providers: readonly string[];
  /** Model by metric, `model` or `provider:model`; takes precedence over the metric's default. */
  routes: Readonly<Record<string, string>>;
  /** Fallback if the run names none. */
  fallbackJudge: string | null;
}

/** The judges of a metric, and where the choice comes from. */
export interface RoutedJudges {
  routes: Route[];
  by: "run" | "deployment" | "default" | "fallback";
}

const providerOfMaker: Readonly<Record<string, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
};

/**
 * A judge's name as provider and model: the provider's name before the first colon, else the provider that has
 * the model's maker, else `custom`. Text before a colon that is not a provider is part of the model.
 * @example routeOf("claude-opus-4-5", []) // { provider: "anthropic", model: "claude-opus-4-5" }
 * @example routeOf("local:qwen3:8b", ["local"]) // { provider: "local", model: "qwen3:8b" }
 */
export function routeOf(name: string, providers: readonly string[]): Route {
  const colon = name.indexOf(":");
  const prefix = name.slice(0, Math.max(0, colon));
  if ([...Object.values(providerOfMaker), "custom", ...providers].includes(prefix)) {
    return { provider: prefix, model: name.slice(colon + 1) };
  }
  const maker = makersOf(name).find((one) => providerOfMaker[one] !== undefined);
  const own = maker === undefined ? "custom" : providerOfMaker[maker]!;
  return { provider: own, model: name };
}

/**
 * Chooses the judges of a metric, in this order: the run's choice for the metric, the run's panel or judge, the
 * deployment's choice, the metric's default. If none of these providers has a key: the fallback of the run or
 * deployment. A panel omits judges without a key. `judge`, `judges` and the fallback don't apply to embeddings,
 * because a chat model returns none. The error says why no judge is available.
 * Source: docs/spec/memory.md, router.
 * @example routeJudge(empathy, choice, deployment).ok // true
 */
export function routeJudge(
  judge: Pick<Judge, "id" | "kind" | "route" | "routeName">,
  choice: JudgeChoice,
  deployment: JudgeDeployment,
): Result<RoutedJudges, string> {
  const { providers, routes } = deployment;
  const wanted = wantedFor(judge, choice, routes, (name) => routeOf(name, providers));
  const offered = unlike(wanted.routes.filter(({ provider }) => providers.includes(provider)));
  if (offered.length > 0) return ok({ routes: offered, by: wanted.by });
  const last = fallbackOf(judge, choice, deployment);
  if (last !== null) return ok({ routes: [last], by: "fallback" });
  const missing = [...new Set(wanted.routes.map(({ provider }) => provider))].join(", ");
  return err(`no key for ${missing}, and no fallback judge that has one`);
}

/**
 * The fallback judge of the run, else of the deployment; null without one that has a key, and for embeddings.
 * @example fallbackOf(empathy, choice, deployment)?.model // "gpt-6.1-terra"
 */
export function fallbackOf(
  { kind }: Pick<Judge, "kind">,
  choice: Pick<JudgeChoice, "fallbackJudge">,
  { providers, fallbackJudge }: JudgeDeployment,
): Route | null {
  const name = kind === "asked" ? (choice.fallbackJudge ?? fallbackJudge) : null;
  const route = name === null ? null : routeOf(name, providers);
  return route !== null && providers.includes(route.provider) ? route : null;
}

/** A judge that is named several times has one vote. */
const unlike = (routes: readonly Route[]): Route[] => [
  ...new Map(routes.map((route) => [`${route.provider}:${route.model}`, route])).values(),
];

function wantedFor(
  { id, kind, route, routeName = id }: Pick<Judge, "id" | "kind" | "route" | "routeName">,
  { judge, judges, judgeOverrides }: JudgeChoice,
  routes: JudgeDeployment["routes"],
  parse: (name: string) => Route,
): RoutedJudges {
  const own = judgeOverrides[id];
  if (own !== undefined) return { routes: [parse(own)], by: "run" };
  if (kind === "asked" && judges.length > 0) return { routes: judges.map(parse), by: "run" };
  if (kind === "asked" && judge !== null) return { routes: [parse(judge)], by: "run" };
  const deployed = routes[routeName];
  if (deployed !== undefined) return { routes: [parse(deployed)], by: "deployment" };
  return { routes: [route], by: "default" };
}
