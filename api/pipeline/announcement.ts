import type { DriftNotice } from "#shared/contracts/drift-notice.ts";
import type { RunModel } from "#shared/contracts/run.ts";

/** Something that an owner may want to be told of, once for each type and subject; links are paths. */
export type Announcement = { owner: string; subject: string } & (
  | {
      type: "drift.flagged";
      data: DriftNotice & { links: Record<"run" | "reference" | "model", string> };
    }
  | { type: "schedule.paused"; data: PausedSchedule }
);

/** A schedule that stopped by itself. */
interface PausedSchedule {
  schedule: string;
  model: Pick<RunModel, "slug" | "name" | "simulated">;
  suite: string;
  dataset: string;
  reason: string;
  pausedAt: string;
  links: { schedule: string };
}
