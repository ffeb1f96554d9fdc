import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { lighterSvg } from "./lighter-svg.ts";

it.each([
  [
    "lines as one path",
    `<line x1="1" x2="1" y1="2" y2="9"/><line x1="0" x2="5" y1="3" y2="3"/><line x1="0" x2="1" y1="2" y2="3"/>`,
    `<path d="M1,2V9M0,3H5M0,2L1,3"/>`,
  ],
  ["a line alone as it is", `<line x1="1" x2="1" y1="2" y2="9"/>`, null],
  [
    "lines of a look of their own as they are",
    `<line x1="1" x2="1" y1="2" y2="9" stroke="red"/><line x1="2" x2="2" y1="2" y2="9" stroke="blue"/>`,
    null,
  ],
  [
    "ticks as one path",
    `<path transform="translate(4.5,9)" d="M0,0L0,3"/><path transform="translate(8,9)" d="M0,0L0,3"/>`,
    `<path d="M4.5,9v3M8,9v3"/>`,
  ],
  [
    "a text at its place",
    `<text y="-0.3em" transform="translate(4.5,9)">a</text><text transform="translate(1,2)">b</text>`,
    `<text x="4.5" y="9" dy="-.3em">a</text><text x="1" y="2">b</text>`,
  ],
  [
    "a text of several lines as it is",
    `<text y="0.3em" transform="translate(4,9)"><tspan x="0">a</tspan><tspan x="0" dy="1em">b</tspan></text>`,
    null,
  ],
  [
    "a turned text as it is",
    `<text y="0.3em" transform="translate(4,9) rotate(-90)">a</text>`,
    null,
  ],
])("lighterSvg() writes %s", (_, svg, expected) => {
  expect(lighterSvg(svg)).toBe(expected ?? svg);
});

it("lighterSvg() writes many rectangles as one path of each colour, each where it was", () => {
  const fills = ["red", "blue", "red", "red", "blue"];
  const svg = fills
    .map((fill, i) => `<rect x="${i * 10}" width="8" y="1" height="${i + 1}" fill="${fill}"/>`)
    .join("");
  const { document } = new JSDOM(`<svg>${lighterSvg(svg)}</svg>`).window;
  const paths = [...document.querySelectorAll("path")].map((path) => [
    path.getAttribute("fill"),
    path.getAttribute("d"),
  ]);
  expect(paths).toEqual([
    ["red", "M0,1h8v1h-8zM20,1h8v3h-8zM30,1h8v4h-8z"],
    ["blue", "M10,1h8v2h-8zM40,1h8v5h-8z"],
  ]);
});
