import { isUnanswered } from "#shared/measures/report/run/is-unanswered.ts";
import type { RunRecord } from "../platform/ports.ts";

/** Whether a run finished without a single answer, so that its figures say nothing of the model. */
export const isFinishedUnanswered = ({ status, metrics, ...progress }: RunRecord): boolean =>
  status === "finished" && isUnanswered({ metrics, progress });
