import { LineDigests } from "#shared/contracts/line-digests.ts";
import { wholeAnswerLine } from "#shared/contracts/whole-answer.ts";
import { openRun } from "../engine/run-work.ts";
import { samplePages } from "../exports/sample-pages.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { areAnswersGone } from "../runs/raw-retention.ts";
import { statementFactsKey } from "../runs/run-objects.ts";

/** What a statement needs beside the run's row. */
export interface StatementFacts {
  /** As `LineDigests` gives it of the whole answers; null where they are gone. */
  answersSha256: string | null;
  /** From the run's start to its last answer; null for sent answers. */
  wallMs: number | null;
}

/** What was kept when the run was summed up, else worked out from its rows and answers. */
export async function statementFacts(ports: Ports, run: RunRecord): Promise<StatementFacts> {
  const kept = await ports.objects.get<StatementFacts>(statementFactsKey(run));
  if (kept !== null) return kept;
  const wallMs = await ports.runs.lastDoneMs(run.id);
  return { answersSha256: await answersSha256(ports, run), wallMs };
}

async function answersSha256(ports: Ports, run: RunRecord): Promise<string | null> {
  if (areAnswersGone(run, ports.settings, ports.now())) return null;
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const digests = new LineDigests(run.total);
  for await (const page of samplePages(ports, run)) {
    for (const { row, stored } of page) {
      if (stored === undefined) return null;
      digests.set(row.seq, wholeAnswerLine(stored, row.seq % plan.repeats));
    }
  }
  return digests.digest();
}
