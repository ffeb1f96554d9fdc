import type { Writable } from "node:stream";

/** Moves to the line's start and clears the line. */
const CLEAR_LINE = "\r\x1b[K";

/** A progress line that is overwritten; prints nothing without a terminal. */
export function progressLine(stream: Writable & { isTTY?: boolean }) {
  const isTerminal = stream.isTTY === true;
  const write = (text: string) => {
    if (isTerminal) stream.write(`${CLEAR_LINE}${text}`);
  };
  return { show: write, clear: () => write("") };
}
