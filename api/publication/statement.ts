import {
  KEYS_PATH,
  type ResultStatement,
  type SignedStatement,
} from "#shared/contracts/boards/result-statement.ts";
import { canonicalJson, LineDigest } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import { wholeAnswerLine } from "#shared/contracts/submissions/whole-answer.ts";
import { openRun } from "../engine/run-work.ts";
import { samplePages } from "../exports/sample-pages.ts";
import type { Platform } from "../platform/platform.ts";
import { areAnswersGone, statementFactsKey, statementKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { runView } from "../runs/view.ts";

/** The published result of a finished run. Derived only from stored data, so it is always the same. */
function resultStatement(record: RunRecord, facts: StatementFacts): ResultStatement {
  // Nothing in a statement depends on the current time.
  const run = runView(record, 0);
  const { total, done, failed } = run.progress;
  const { slug, name, simulated, asked, served } = run.model;
  const covered = done - failed;
  return {
    type: "assay-result",
    version: 1,
    run: run.id,
    parent: run.parent,
    model: { slug, name, simulated, ...(asked && { asked }), ...(served && { served }) },
    suite: { id: run.suite, version: run.suiteVersion },
    dataset: run.dataset,
    subset: (run.options["sample"] as ResultStatement["subset"]) ?? null,
    options: run.options,
    hybrid: run.hybrid,
    prices: run.prices,
    judging: run.judging,
    scoringVersion: run.scoringVersion,
    promptHash: run.promptHash,
    codeRevision: run.codeRevision,
    answers: {
      kind: simulated ? "simulated" : run.provenance.kind,
      ...(run.provenance.runner && { runner: run.provenance.runner }),
      hosts: hostsOf(run),
      count: total,
      sha256: facts.answersSha256,
    },
    counts: { total, covered },
    coverage: total === 0 ? 0 : covered / total,
    wallMs: facts.wallMs,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt ?? run.createdAt,
    headline: run.headline,
    metrics: run.metrics ?? {},
  };
}

const hostsOf = ({ provenance, hybrid }: ReturnType<typeof runView>): string[] => [
  ...new Set(
    [provenance.endpointHost, hybrid?.cloudHost].filter((host) => typeof host === "string"),
  ),
];

/** The signed text: canonical JSON (RFC 8785). */
const statementText = (statement: object): string =>
  canonicalJson(JSON.parse(JSON.stringify(statement)) as Json);

/** A statement with its signature by the current key; unsigned without one. */
export async function signed<Statement extends object>(
  { signer }: Platform,
  statement: Statement,
): Promise<Omit<SignedStatement, "statement"> & { statement: Statement }> {
  const made = await signer.sign(statementText(statement));
  if (made !== null) return { statement, ...made, keys: KEYS_PATH, note: null };
  return { statement, signature: null, keyId: null, keys: KEYS_PATH, note: UNSIGNED };
}

type Vouched = Pick<SignedStatement, "statement" | "signature" | "keyId">;

/**
 * The statement of a finished run, signed once and stored: a later key does not sign it again. Without a key it is
 * unsigned and not stored.
 */
export async function signedStatement(
  platform: Platform,
  run: RunRecord,
): Promise<SignedStatement> {
  const kept = await platform.objects.get<Vouched>(statementKey(run));
  if (kept !== null && isOf(run, kept)) return { ...kept, keys: KEYS_PATH, note: null };
  const statement = resultStatement(run, await statementFacts(platform, run));
  const made = await signed(platform, statement);
  if (made.signature === null) return made;
  const { keys: _, note: __, ...vouched } = made;
  if (kept !== null) await platform.objects.put(statementKey(run), vouched);
  const isFirst = await platform.objects.putOnce(statementKey(run), JSON.stringify(vouched));
  const first = isFirst ? null : await platform.objects.get<Vouched>(statementKey(run));
  return { ...made, ...first };
}

/** After a database was restored to an earlier state, a run may end again with other answers. */
const isOf = ({ finishedAt }: RunRecord, { statement }: Vouched): boolean =>
  finishedAt !== null && Date.parse(statement.finishedAt) === finishedAt;

const UNSIGNED =
  "this deployment has no signing key and signs nothing: its numbers can be recomputed, but nothing proves who published them";

/** The facts that a statement needs in addition to the run's row. */
export interface StatementFacts {
  /** Hash of the whole answers by `LineDigest`; null if they were deleted. */
  answersSha256: string | null;
  /** From the run's start to its last answer; null for submitted answers. */
  wallMs: number | null;
}

/** Stored when the run was summed up; otherwise computed from its rows and answers. */
async function statementFacts(platform: Platform, run: RunRecord): Promise<StatementFacts> {
  const kept = await platform.objects.get<StatementFacts>(statementFactsKey(run));
  if (kept !== null) return kept;
  const wallMs = await platform.runs.lastDoneMs(run.id);
  return { answersSha256: await answersSha256(platform, run), wallMs };
}

async function answersSha256(platform: Platform, run: RunRecord): Promise<string | null> {
  if (areAnswersGone(run, platform.settings, platform.now())) return null;
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  const digest = new LineDigest();
  for await (const page of samplePages(platform, run)) {
    for (const { row, stored } of page) {
      if (stored === undefined) return null;
      digest.add(wholeAnswerLine(stored, row.seq % plan.repeats));
    }
  }
  return digest.digest();
}

/** Why a run has no statement; null if it has finished. */
export function unfinished({
  id,
  status,
}: RunRecord): { type: "not-ready" | "conflict"; detail: string } | null {
  if (status === "finished") return null;
  const isOver = status === "cancelled" || status === "failed";
  const detail = `run "${id}" is ${status}; a run has a statement when it is finished`;
  return { type: isOver ? "conflict" : "not-ready", detail };
}
