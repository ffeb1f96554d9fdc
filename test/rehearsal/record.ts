import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import {
  alike,
  demandOf,
  standardDeployment,
  usualLatencyMs,
  usualLoads,
} from "../scale/demand.ts";
import type { MeasuredLoad } from "../scale/measured-load.ts";
import { type Prediction, predict } from "../scale/predict.ts";
import { thisMachine } from "../support/this-machine.ts";
import { type Nearest, nearest } from "./limit-table.ts";
import type { Outcome, Scene } from "./scenes/scene.ts";

/** The result of a scene. */
export interface Played extends Outcome {
  scene: string;
  seconds: number;
  /** CPU time; missing if the scene did not run to its end. */
  cpuSeconds?: number;
}

interface RecordedScene extends Omit<Played, "findings" | "cpuSeconds"> {
  playedOn: string;
  /** The findings of a large scene; empty for other scenes. */
  held: string[];
}

/** A run of all scenes, or of the scenes of `--quick`. */
export type Form = "whole" | "quick";

/** Maximum time of each form on two cores, min. */
export const MOST_MINUTES: Readonly<Record<Form, number>> = { whole: 40, quick: 3 };

interface Recorded {
  date: string;
  /** Time of the last successful recorded run by form; absent before the first. */
  minutes?: Partial<Record<Form, number>>;
  machine: ReturnType<typeof thisMachine>;
  limits: Nearest[];
  scenes: RecordedScene[];
  /** Predictions for larger loads from the recorded runs. */
  scale: Prediction[];
}

const file = join(root, "site", "src", "data", "docs", "rehearsal.json");

/** The last record; throws if there is none. */
export function readRehearsal(): Recorded {
  if (!existsSync(file)) throw new Error("nothing is recorded yet: npm run rehearse -- --record");
  return JSON.parse(readFileSync(file, "utf8")) as Recorded;
}

/** Records a scene for the site and drops scenes that are not `known`. A failed scene keeps its last record. */
export function record(
  { findings, cpuSeconds: _, ...played }: Played,
  { isLarge }: Pick<Scene, "isLarge">,
  known: ReadonlySet<string>,
): void {
  if (findings.some(({ holds }) => !holds)) return;
  const { scenes: before, minutes = {} } = existsSync(file) ? readRehearsal() : nothing;
  const date = new Date().toISOString().slice(0, 10);
  const held = isLarge ? findings.map(({ what }) => what) : [];
  const now = { ...played, playedOn: date, held };
  const scenes = [...before.filter(({ scene }) => scene !== now.scene && known.has(scene)), now];
  const limits = nearest(scenes);
  const scale = predictions(loadsOf(scenes));
  write({ date, minutes, machine: thisMachine(), limits, scenes, scale });
}

const nothing: Pick<Recorded, "scenes" | "minutes"> = { scenes: [] };

/** Records the time of a run, rounded to 0.1 min. */
export function recordMinutes(form: Form, minutes: number): void {
  const before = readRehearsal();
  const rounded = Math.round(10 * minutes) / 10;
  write({ ...before, minutes: { ...before.minutes, [form]: rounded } });
}

const write = (content: Recorded) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);

export const loadsOf = (scenes: readonly Pick<RecordedScene, "loads">[]): MeasuredLoad[] =>
  scenes.flatMap(({ loads }) => loads);

function predictions(loads: readonly MeasuredLoad[]): Prediction[] {
  if (alike(loads).length === 0) return [];
  const demand = demandOf(loads, usualLatencyMs);
  return usualLoads.map((load) => predict(load, demand, standardDeployment));
}
