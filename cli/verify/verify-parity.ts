import { existsSync } from "node:fs";
import {
  type Parity,
  paritySchema,
  type SignedParity,
  signedParitySchema,
} from "#shared/contracts/boards/parity.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { ScoredRun } from "#shared/contracts/boards/scored-run.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import { slugSchema } from "#shared/contracts/text/slug.ts";
import { compareMetric } from "#shared/measures/comparison/compare-metric.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { addRun, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { hostDifference, parityVerdicts } from "#shared/measures/gates/host-verdicts.ts";
import { parityOwner, verdictText } from "#shared/measures/gates/parity-verdict.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import { readJson } from "../files/open-file.ts";
import { scoredRun } from "../gate/read-baseline.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { schemaProblem } from "../score/schema-problem.ts";
import { type Check, differs, passed, unchecked } from "./check.ts";
import { isSame } from "./check-scores.ts";
import { checkSignature, type TrustedKeys } from "./check-signature.ts";
import { type Verification, verdictOf } from "./verify-result.ts";

/** Whether a target of `assay verify` is the name of a parity, or a file with its statement. */
export function isParity(target: string): boolean {
  if (!existsSync(target)) return slugSchema.safeParse(target).success;
  const { statement } = target.endsWith(".json") ? asObject(readJson(target)) : {};
  return asObject(statement)["type"] === "assay-parity";
}

const asObject = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

/** The signed statement of a parity, from a file or the service. Throws BadInput. */
export async function readParity(
  target: string,
  service: () => ServiceClient,
): Promise<{ signed: SignedParity; document: unknown }> {
  if (!existsSync(target)) {
    const path = `/v1/parities/${target}/statement`;
    const value = await service().get(path, signedParitySchema);
    return { signed: value, document: value };
  }
  const document = readJson(target);
  const read = signedParitySchema.safeParse(document);
  if (read.success) return { signed: read.data, document };
  const known = Object.keys(signedParitySchema.shape);
  const problem = schemaProblem(read.error.issues, document, known, "the file");
  throw new BadInput(`${target}: not the signed statement of a parity: ${problem}`);
}

/**
 * Checks that the deployment signed a parity, that differences, tests and verdicts follow from the runs' scores by
 * sample, and that the parity has not changed since. `assay verify RUN` checks that scores follow from the answers.
 */
export async function verifyParity(
  { signed, document }: Awaited<ReturnType<typeof readParity>>,
  service: () => ServiceClient,
  keys: TrustedKeys | { missing: string },
): Promise<Verification> {
  const { statement } = signed;
  const given = { ...signed, statement: asObject(document)["statement"] };
  const checks = [
    "missing" in keys && signed.signature !== null
      ? unchecked("signature", keys.missing)
      : checkSignature(given, "missing" in keys ? { keys: [], source: "" } : keys),
    await checked("verdicts", () => verdictsCheck(statement, service)),
    await checked("current", () => currentCheck(statement, service)),
  ];
  return { run: statement.name, verdict: verdictOf(checks), checks };
}

/** Runs a check; it is unchecked if the service does not provide the data. */
async function checked(name: Check["name"], check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ServiceError) return unchecked(name, error.message);
    throw error;
  }
}

/** Compares with the current parity, because a signature remains valid when later runs change the verdict. */
async function currentCheck(
  { asOf, ...parity }: SignedParity["statement"],
  service: () => ServiceClient,
): Promise<Check> {
  const value = await service().get(`/v1/parities/${parity.name}`, paritySchema);
  const [signed, found] = [parity, value].map(ownState) as [State, State];
  const differences = [...new Set([...signed.keys(), ...found.keys()])].flatMap((what) => {
    const [before = null, now = null] = [signed.get(what), found.get(what)];
    return before === now ? [] : [{ what, signed: before, found: now }];
  });
  const since = asOf ?? "it was signed";
  return differences.length > 0
    ? differs(
        "current",
        `the parity has changed since ${since}: get its statement again`,
        differences,
      )
    : passed("current", `nothing of its owner's hosts has changed since ${since}`);
}

type State = Map<string, string | number>;

/** The state of the owner's hosts in a parity, which other accounts cannot change. */
function ownState(parity: Parity): State {
  const owner = parityOwner(parity);
  const own = parity.hosts.filter(({ addedBy }) => addedBy === owner);
  const removed = parity.removed.filter(({ addedBy }) => addedBy === owner);
  return new Map<string, string | number>([
    ["created", parity.createdAt],
    ["reference", parity.reference.run],
    ["margin", parity.margin],
    ["removed runs", removed.reduce((sum, { runs }) => sum + runs, 0)],
    ...own.map((host): [string, string] => [`${host.label} (${host.run})`, verdictText(host)]),
  ]);
}

async function verdictsCheck(parity: Parity, service: () => ServiceClient): Promise<Check> {
  const stated = parity.hosts.filter(({ versus }) => versus !== null).length;
  if (stated === 0) return passed("verdicts", "no host is compared yet");
  const suite = suiteById(parity.suite);
  if (suite?.version !== parity.suiteVersion) {
    return unchecked("verdicts", `this assay does not have ${parity.suite} ${parity.suiteVersion}`);
  }
  const reference = await scoredRun(service(), parity.reference.run);
  const hosts = [];
  for (const { run, addedBy, status, versus } of parity.hosts) {
    const difference = versus && differenceOf(parity, reference, await scoredRun(service(), run));
    if (versus !== null && difference === null) {
      return differs("verdicts", `run ${run} can't be compared`);
    }
    hosts.push({ addedBy, status, difference });
  }
  const differences = parityVerdicts(hosts, parity.removed, parity).flatMap((found, i) => {
    const { label, versus } = parity.hosts[i]!;
    if (found === null || versus === null) return [];
    const figures = figuresOf(versus);
    return figuresOf(found).flatMap(([what, value], k) => {
      const signed = figures[k]![1];
      const isEqual =
        typeof value === "number" && typeof signed === "number"
          ? isSame(value, signed)
          : value === signed;
      return isEqual ? [] : [{ what: `${label}: ${what}`, signed, found: value }];
    });
  });
  return differences.length > 0
    ? differs("verdicts", "they don't follow from the scores of the runs", differences)
    : passed("verdicts", `${stated} recomputed from the scores of the runs`);
}

type Versus = NonNullable<Parity["hosts"][number]["versus"]>;

const figuresOf = ({ difference, interval: [low, high], noWorse, same, worse, ...own }: Versus) =>
  Object.entries({
    difference,
    "lower end": low,
    "upper end": high,
    noWorse,
    same,
    worse,
    samples: own.samples,
    verdict: own.verdict,
  });

/** The difference of two runs, computed like the service, with its seed. */
function differenceOf(
  { suite: id, metric, options }: Parity,
  reference: ScoredRun,
  host: ScoredRun,
) {
  const pair = [reference, host].sort((a, b) => (a.run.id < b.run.id ? -1 : 1));
  const metrics = Object.keys(pair[0]!.scores.values);
  const table = scoreTable(pair[0]!.scores);
  for (const { run, scores } of pair) addRun(table, run.id, scores, { metrics });
  const suite = { ...suiteFor(suiteById(id)!, options), headline: metric };
  const ranking = comparedMetrics(suite, metrics).bySample.find((one) => one.id === metric);
  const compared = ranking && compareMetric(table, ranking, pair.map(({ run }) => run.id).join());
  return compared ? hostDifference(compared, host.run.id, reference.run.id) : null;
}
