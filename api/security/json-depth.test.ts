import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeBeyond } from "./json-depth.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("placeBeyond()", () => {
  it.each([
    ["{}", 1],
    ["[]", 1],
    ["1", 0],
    ['"[[[["', 0],
    [String.raw`"\"[[["`, 0],
    [String.raw`["\\", []]`, 2],
    ['{"a": {"b": [1, 2]}, "c": [[]]}', 3],
    [nested(64), 64],
    ["[[], [], []]", 2],
  ])("accepts %s at depth %i, but not at a lower one", (text, depth) => {
    expect(placeBeyond(text, depth)).toBeNull();
    if (depth > 0) expect(placeBeyond(text, depth - 1)).not.toBeNull();
  });

  it.each([
    ['{"a": [[1]]}', 2, "/a/0"],
    ['{"a": 1, "b": {"c": []}}', 2, "/b/c"],
    ['[1, "x,y", [2, [3]]]', 2, "/2/1"],
    ['{"a/b~c": {"d": {}}}', 2, "/a~1b~0c/d"],
    ['{"a": {"x": 1}, "b": {"y": {}}}', 2, "/b/y"],
    [nested(100), 64, "/0/0/0/0/0/0/0/0"],
    [`{"${"k".repeat(5000)}": []}`, 1, `/${"k".repeat(40)}`],
  ])("returns the place of the first value that is too deep in %j", (text, depth, place) => {
    expect(placeBeyond(text, depth)).toBe(place);
  });

  it.each(["[[[", "]]]]", "}{", '"', '"\\', "", '{"a', "[,,,:::]", "nonsense"])(
    "leaves %j to the parser",
    (text) => {
      expect(placeBeyond(text, 3)).toBeNull();
    },
  );

  it("agrees with the depth of the parsed value", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, limit) => {
        const beyond = placeBeyond(JSON.stringify(value), limit) !== null;
        expect(beyond).toBe(depthOf(JSON.parse(JSON.stringify(value))) > limit);
      }),
    );
  });

  // Quadratic time would take hours.
  it.each([
    ["brackets", nested(5_000_000), "/0/0/0/0/0/0/0/0"],
    ["brackets in strings", `{"a":"${'\\"['.repeat(5_000_000)}"}`, null],
    ["short arrays", `[${"[],".repeat(2_500_000)}[]]`, null],
  ])("scans ten megabytes of %s", (_, text, at) => {
    expect(placeBeyond(text, 64)).toBe(at);
  });
});
