import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";
import { thisMachine } from "../support/this-machine.ts";
import { type Nearest, nearest, type Use } from "./limit-table.ts";
import type { Finding, MeasuredLoad } from "./scenes/scene.ts";

/** A scene, as it was played. */
export interface Played {
  scene: string;
  seconds: number;
  findings: readonly Finding[];
  loads: readonly MeasuredLoad[];
  uses: readonly Use[];
}

interface RecordedScene extends Pick<Played, "scene" | "seconds" | "loads" | "uses"> {
  playedOn: string;
}

interface Recorded {
  date: string;
  machine: ReturnType<typeof thisMachine>;
  limits: Nearest[];
  scenes: RecordedScene[];
}

const file = join(root, "site", "src", "data", "docs", "rehearsal.json");

/** Writes what the site shows of limits; of scenes that were not played now, or did not hold, the last record stays. */
export function record(played: readonly Played[]): void {
  const before = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Recorded).scenes
    : [];
  const date = new Date().toISOString().slice(0, 10);
  const now = played
    .filter(({ findings }) => findings.every(({ holds }) => holds))
    .map(({ scene, seconds, loads, uses }) => ({ scene, seconds, playedOn: date, loads, uses }));
  const byName = new Map([...before, ...now].map((one) => [one.scene, one]));
  const scenes = [...byName.values()];
  const content: Recorded = { date, machine: thisMachine(), limits: nearest(scenes), scenes };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
