import { type Bounded, entryOf } from "../../stats/bounded.ts";
import { addColumns, type ColumnSums, noColumnSums, type RowNumbers } from "./columns.ts";

/** The answers of one value of a tag, or of one complexity bin. */
export interface GroupSums {
  answers: number;
  /** By group of samples, as cells are resampled. */
  columns: Record<number, ColumnSums>;
}

/** A tag's key and value as the key of a bounded set, and back. */
const tagKey = (key: string, value: string): string => JSON.stringify([key, value]);
export const tagOf = (key: string): [key: string, value: string] => JSON.parse(key);

/**
 * No answers yet.
 * @example noGroup().answers // 0
 */
export function noGroup(): GroupSums {
  return { answers: 0, columns: {} };
}

/**
 * Adds an answer to a group; `part` is the group of samples that it is resampled with.
 * @example addToGroup(group, rowNumbers(row), 17)
 */
export function addToGroup(group: GroupSums, numbers: RowNumbers, part: number): void {
  group.answers++;
  group.columns[part] ??= noColumnSums();
  addColumns(group.columns[part], numbers);
}

/**
 * Adds an answer to the group of each of its tags but `cluster`, which says what is resampled together.
 * @example addToTags(tags, { language: "en" }, rowNumbers(row), 17)
 */
export function addToTags(
  groups: Bounded<GroupSums>,
  tags: Readonly<Record<string, string>>,
  numbers: RowNumbers,
  part: number,
): void {
  for (const [key, value] of Object.entries(tags)) {
    if (key !== "cluster") addToGroup(entryOf(groups, tagKey(key, value), noGroup), numbers, part);
  }
}
