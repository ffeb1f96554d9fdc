import { bounds, cutText } from "../../../contracts/bounds.ts";
import { addSlot, type Slots } from "./slots.ts";
import { splitValues } from "./split-values.ts";

/** Slots written as lines, and how far the text was nothing else. */
export interface ReadLines {
  slots: Slots;
  /** Lines that say something and are no slot. */
  otherLines: number;
  slotLines: number;
}

/** What small models put before the items of a list. */
const listMark = /^(?:[-*•]|\d{1,4}[.)])[ \t]+/;

/**
 * The slots of lines `topic::field::value, value`. Names are trimmed, a list mark before them is passed
 * over, a line without a topic or field is no slot, a slot that stands on several lines has the values of
 * all. A third `::` belongs to the value. Linear.
 * Source: docs/spec/slots.md, data.
 * @example readLines("- interests::food::ramen (spicy, hot), tea").slotLines // 1
 */
export function readLines(text: string): ReadLines {
  const read: ReadLines = { slots: new Map(), otherLines: 0, slotLines: 0 };
  for (const line of text.split(/\r\n?|\n/)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    if (readLine(read.slots, trimmed)) read.slotLines++;
    else read.otherLines++;
  }
  return read;
}

/** Whether the line is a slot; if so it is added. */
function readLine(slots: Slots, line: string): boolean {
  const behindTopic = line.indexOf("::");
  const behindField = behindTopic < 0 ? -1 : line.indexOf("::", behindTopic + 2);
  if (behindField < 0) return false;
  const topic = line.slice(0, behindTopic).replace(listMark, "").trim();
  const field = line.slice(behindTopic + 2, behindField).trim();
  if (topic === "" || field === "") return false;
  const name = (text: string) => cutText(text, bounds.fieldName);
  addSlot(slots, name(topic), name(field), splitValues(line.slice(behindField + 2)));
  return true;
}
