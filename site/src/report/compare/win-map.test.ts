import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { WinMap, winIntervalNote } from "./WinMap.tsx";

const hostile = `"><script>alert(1)</script>`;

const samples = { samples: 40, units: { kind: "samples" as const, count: 40 } };
const clusters = { samples: 40, units: { kind: "clusters" as const, count: 8 } };

function drawn(of: typeof samples | typeof clusters) {
  const cells = [
    [null, { rate: 0.7, mark: "**" }],
    [{ rate: 0.3, mark: "**" }, null],
  ];
  const html = String(WinMap({ ...of, names: [hostile, "B"], cells }));
  return new JSDOM(html).window.document;
}

const cellsOf = (document: Document) =>
  [...document.querySelectorAll("td")].map(({ textContent, className }) => [
    textContent,
    className,
  ]);

it("WinMap() has each rate with its mark, interval and shade", () => {
  const document = drawn(samples);
  expect(cellsOf(document)).toEqual([
    ["–", ""],
    ["70** 55–82", "h4"],
    ["30** 18–45", "c4"],
    ["–", ""],
  ]);
  expect(document.querySelector("p")?.textContent).toBe(
    `Highest: 70%, ${hostile} over B; 1 of 1 pairs differ significantly.`,
  );
  expect(document.querySelector("thead abbr")?.getAttribute("title")).toBe(hostile);
  expect(document.querySelectorAll("script, [style]")).toHaveLength(0);
});

it("WinMap() has no intervals if samples share sources, and says so", () => {
  expect(cellsOf(drawn(clusters)).map(([text]) => text)).toEqual(["–", "70**", "30**", "–"]);
  expect(winIntervalNote(clusters)).toContain("no intervals");
  expect(winIntervalNote(samples)).toContain("95% interval");
});
