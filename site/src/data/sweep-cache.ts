import type { ListedSweep } from "#shared/contracts/snapshot.ts";
import { type Sweep, sweepSchema } from "#shared/contracts/sweep.ts";
import { keepJson, keptJson } from "./json-cache.ts";

/** A sweep whose runs have ended is immutable until one is asked or scored again: the hash says so. */
const nameOf = ({ submission, hash }: ListedSweep): string => `sweep-${submission}-${hash}`;

export const keptSweep = (dir: string, listed: ListedSweep): Promise<Sweep | null> =>
  keptJson(dir, nameOf(listed), sweepSchema);

export const keepSweep = (dir: string, listed: ListedSweep, sweep: Sweep): Promise<void> =>
  keepJson(dir, nameOf(listed), sweep);
