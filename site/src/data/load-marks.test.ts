import { expect, it } from "vitest";
import { loadMarks } from "./load-marks.ts";

it("loadMarks() gives runs of one load one sign, and says what it stands for", () => {
  const marks = loadMarks({
    own: new Map([
      ["a", "timed elsewhere"],
      ["b", "up to 5 at once"],
      ["c", "timed elsewhere"],
    ]),
  });
  expect(marks.key).toEqual([
    { sign: "†", text: "timed elsewhere" },
    { sign: "‡", text: "up to 5 at once" },
  ]);
  expect(["a", "b", "c", "d"].map(marks.of)).toEqual(["†", "‡", "†", undefined]);
});

it("loadMarks() leaves the words to the rows where there are too many loads", () => {
  const own = new Map([1, 2, 3, 4, 5].map((n) => [`run-${n}`, `up to ${n} at once`]));
  expect(loadMarks({ own }).key).toEqual([]);
  expect(loadMarks({ own }).of("run-3")).toBe("up to 3 at once");
});
