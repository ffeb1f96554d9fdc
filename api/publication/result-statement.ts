import { canonicalJson } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { ResultStatement } from "#shared/contracts/result-statement.ts";
import type { RunRecord } from "../platform/ports.ts";
import { runView } from "../runs/run-view.ts";
import type { StatementFacts } from "./statement-facts.ts";

/** What was published of a finished run; follows from what is stored alone, so that it is always the same. */
export function resultStatement(record: RunRecord, facts: StatementFacts): ResultStatement {
  // Nothing that a statement has depends on the time.
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

/** The text that is signed: canonical JSON (RFC 8785). */
export const statementText = (statement: ResultStatement): string =>
  canonicalJson(JSON.parse(JSON.stringify(statement)) as Json);
