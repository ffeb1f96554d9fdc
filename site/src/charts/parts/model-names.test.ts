import { expect, it } from "vitest";
import { farUp, placeLabels } from "./model-names.ts";
import { textWidth } from "./wrap-label.ts";

const frame = { left: 0, top: 0, right: 400, bottom: 300 };

it("placeLabels() puts a label next to its point if there is room", () => {
  const [label] = placeLabels([{ x: 100, y: 100, text: "Large" }], [], frame);
  expect(label).toEqual({ dx: -7, dy: -11, anchor: "end" });
});

it("placeLabels() keeps labels inside the frame", () => {
  const [label] = placeLabels([{ x: 5, y: 6, text: "Large" }], [], frame);
  expect(label?.anchor).toBe("start");
});

it("placeLabels() avoids other labels and obstacles, and moves up in a crowd", () => {
  const points = Array.from({ length: 6 }, (_, i) => ({ x: 200 + 6 * i, y: 150, text: "A model" }));
  const dots = points.map(({ x, y }) => ({ left: x - 6, top: y - 6, right: x + 6, bottom: y + 6 }));
  const placed = placeLabels(points, dots, frame);
  const boxes = placed.flatMap((label, i) => {
    const point = points[i];
    if (label === null || point === undefined) return [];
    const width = textWidth(point.text);
    const left = point.x + label.dx - { start: 0, middle: width / 2, end: width }[label.anchor];
    return [{ left, right: left + width, middle: point.y + label.dy }];
  });
  expect(boxes).toHaveLength(6);
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      const apart = a.right <= b.left || b.right <= a.left || Math.abs(a.middle - b.middle) >= 12;
      expect(apart).toBe(true);
    }
  }
  expect(placed.some((label) => label !== null && label.dy < -farUp)).toBe(true);
});

it("placeLabels() omits a label that fits nowhere", () => {
  expect(placeLabels([{ x: 50, y: 50, text: "x".repeat(99) }], [], frame)).toEqual([null]);
});

it("textWidth() counts wide characters as wider", () => {
  expect(textWidth("模型")).toBeGreaterThan(textWidth("ab"));
  expect(textWidth("")).toBe(0);
});
