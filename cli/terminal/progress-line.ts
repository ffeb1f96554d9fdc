import type { Writable } from "node:stream";

/** Back to the line's start, which is then cleared. */
const CLEAR_LINE = "\r\x1b[K";

/** A line that is written over; nothing where there is no terminal. */
export function progressLine(stream: Writable & { isTTY?: boolean }) {
  const isTerminal = stream.isTTY === true;
  const write = (text: string) => {
    if (isTerminal) stream.write(`${CLEAR_LINE}${text}`);
  };
  return { show: write, clear: () => write("") };
}
