import type { RunPoints } from "#shared/contracts/run-points.ts";
import type { Highlight } from "#shared/contracts/run-report.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { areAnswersGone } from "./raw-retention.ts";
import { wholeSample } from "./sample-view.ts";
import { storedBySeq } from "./stored-samples.ts";

/** A picked answer that is longer with its scores, in characters of JSON, is left out: a page shows all of them. */
const MOST_CHARS = 1_000_000;

/**
 * The answers that were picked when the run was summed up, each whole; none where nothing was picked, and
 * none once the raw answers are gone. Objects that several share are read once.
 */
export async function highlights(
  ports: Ports,
  run: RunRecord,
  points: RunPoints | null,
): Promise<Highlight[]> {
  const picks = points?.picks ?? [];
  if (picks.length === 0 || areAnswersGone(run, ports.settings, ports.now())) return [];
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  const rows = await ports.runs.samplesAt(
    run.id,
    picks.map(({ seq }) => seq),
  );
  const stored = await storedBySeq(ports.objects, rows);
  const found: Highlight[] = [];
  for (const { kind, reason, repeat, seq } of picks) {
    const row = rows.find((one) => one.seq === seq);
    const answer = stored.get(seq);
    if (row === undefined || answer === undefined) continue;
    const result = await wholeSample(ports, { run, plan }, row, answer);
    if (JSON.stringify(result).length > MOST_CHARS) continue;
    found.push({ kind, reason, repeat, result });
  }
  return found;
}
