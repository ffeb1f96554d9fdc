import { formatDate } from "../format/date.ts";

/** Where runs stand on an axis, in units of its domain. */
interface RunAxis {
  /** Whether runs stand in their order, one step from each other, since by time some would overlap. */
  isByOrder: boolean;
  domain: [number, number];
  at: number[];
  /** The first run, the last, and those between that have room beside the others. */
  ticks: { at: number; text: string }[];
}

const day = 86_400_000;

// Shares of the width: what a date takes with the room beside it, a dot, and the word above one.
const tickShare = 0.27;
const dotShare = 0.035;
const wordShare = 0.12;

/**
 * An axis of runs by when they ended (ISO, ascending); by their order where two would stand on each other, or the
 * words above two of them, unless order gave them less room than time. Ticks then have two lines, date and time.
 */
export function runAxis(finishedAt: readonly string[], isNamed: readonly boolean[]): RunAxis {
  const times = finishedAt.map((iso) => Date.parse(iso));
  const domain = around(times);
  const isByOrder = isCrowded(times, domain, isNamed);
  const at = isByOrder ? times.map((_, i) => i) : times;
  const ends = isByOrder ? aroundPlaces(times.length) : domain;
  const texts = finishedAt.map((iso) =>
    isByOrder ? `${formatDate(iso)}\n${iso.slice(11, 16)} UTC` : formatDate(iso),
  );
  const ticks = roomyTicks(at, ends).map((i) => ({ at: at[i]!, text: texts[i]! }));
  return { isByOrder, domain: ends, at, ticks };
}

function isCrowded(
  times: readonly number[],
  [from, to]: readonly [number, number],
  isNamed: readonly boolean[],
): boolean {
  const step = 1 / times.length;
  return times.some((time, i) => {
    if (i === 0) return false;
    const wanted = isNamed[i] && isNamed[i - 1] ? wordShare : dotShare;
    return (time - times[i - 1]!) / (to - from) < Math.min(wanted, step / 2);
  });
}

/** Room at both sides, a day at least, so that no dot stands on the frame. */
function around(times: readonly number[]): [number, number] {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(day, 0.08 * (last - first));
  return [first - room, last + room];
}

/** Room for half a date at both sides. */
function aroundPlaces(count: number): [number, number] {
  const room = Math.max(0.5, 0.1 * count);
  return [-room, count - 1 + room];
}

function roomyTicks(at: readonly number[], [from, to]: readonly [number, number]): number[] {
  const room = tickShare * (to - from);
  const last = at.length - 1;
  const ticks: number[] = [];
  at.forEach((its, i) => {
    const isFree = (other: number | undefined) =>
      other === undefined || Math.abs(its - at[other]!) >= room;
    if (isFree(ticks.at(-1)) && (i === last || isFree(last))) ticks.push(i);
  });
  return last < 0 || ticks.includes(last) ? ticks : [...ticks.slice(0, -1), last];
}
