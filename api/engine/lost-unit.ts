import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { Unit } from "#shared/contracts/suite.ts";
import type { StoredSample } from "../platform/ports.ts";
import { seqOf } from "./run-plan.ts";
import type { RunWork } from "./run-work.ts";

/** A unit that an error of ours keeps from being scored: recorded as such, so that its run ends. */
export function lostUnit(work: RunWork, unit: Unit, message: string, now: number): StoredSample[] {
  return unit.samples.map((sample) => ({
    seq: seqOf(work.plan, sample, unit.repeat),
    id: work.plan.heads[sample]?.id ?? "",
    answer: { ...emptyAnswer, error: { class: "lost" as const, message } },
    doneMs: work.target === null ? null : now - work.startedAt,
    score: { status: "unscored" as const, score: null, covered: false, detail: null },
  }));
}
