import { describe, expect, it } from "vitest";
import { TooLargeError } from "#shared/protocols/reply-errors.ts";
import { EventDecoder } from "./event-decoder.ts";

describe("EventDecoder", () => {
  it.each<[what: string, text: string, events: [name: string, data: string][]]>([
    [
      "data with and without a space",
      'data: 1\n\ndata:"a: b"\n\n',
      [
        ["", "1"],
        ["", '"a: b"'],
      ],
    ],
    [
      "any line break",
      "data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n",
      [
        ["", "1"],
        ["", "2"],
        ["", "3"],
      ],
    ],
    ["data of several lines", "data: [1,\ndata: 2]\n\n", [["", "[1,\n2]"]]],
    [
      "names, which hold for one event",
      "event: a\ndata: 1\n\ndata: 2\n\n",
      [
        ["a", "1"],
        ["", "2"],
      ],
    ],
    ["no event without data", ": hi\n\nevent: ping\n\ndata\n\ndata:  \n\ndata: 1\n\n", [["", "1"]]],
    ["an error in a field of its own", 'error: {"code":400}\n\n', [["error", '{"code":400}']]],
    ["no event that is not ended", "data: 1\n\ndata: 2\n", [["", "1"]]],
  ])("reads %s", (_, text, events) => {
    for (const size of [1, 3, text.length]) {
      const decoder = new EventDecoder();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const read = pieces.flatMap((piece) => decoder.decode(piece));
      expect(read.map(({ name, data }) => [name, data])).toEqual(events);
    }
  });

  it("gives up an event of endless lines", () => {
    const decoder = new EventDecoder();
    expect(() => decoder.decode("data: 1,\n".repeat(300_000))).toThrow(TooLargeError);
  });
});
