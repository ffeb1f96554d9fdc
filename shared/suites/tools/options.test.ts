import { describe, expect, it } from "vitest";
import { headlineOf, headlinesOf, optionsFor } from "../../contracts/boards/ranking.ts";
import { defaultOptions } from "./options.ts";
import { tools } from "./suite.ts";

const headline = (
  sources: (string | null)[],
  { isHybrid = false, ...options }: { isHybrid?: boolean; routed?: boolean; source?: string } = {},
) => headlineOf(tools, optionsFor(tools, { ...defaultOptions, ...options }, { isHybrid, sources }));

describe("headline", () => {
  it.each<[string, string]>([
    ["a plain endpoint", headline([])],
    ["answers without a source", headline([null, null])],
    ["answers only from the device", headline(["on-device", "on-device"])],
    ["answers from clouds with several names", headline(["cloud", "cloud (fallback)", null])],
    [
      "answers that are all declared on-device",
      headline([null, "on-device"], { source: "on-device" }),
    ],
    ["an endpoint declared as not routing", headline([], { routed: false })],
  ])("is call F1 for %s", (_, metric) => {
    expect(metric).toBe("avgF1");
  });

  it.each<[string, string]>([
    ["a hybrid target", headline([], { isHybrid: true })],
    ["answers from device and cloud", headline(["on-device", "cloud"])],
    ["answers of which some state on-device", headline(["on-device", null])],
    [
      "answers declared on-device with one from the cloud",
      headline([null, "cloud"], { source: "on-device" }),
    ],
    ["an endpoint declared as routing", headline([], { routed: true })],
  ])("is the total for %s", (_, metric) => {
    expect(metric).toBe("total");
  });

  it("is call F1 or the total", () => {
    expect(headlinesOf(tools)).toEqual(["avgF1", "total"]);
  });

  it("does not change the options of plain endpoints", () => {
    expect(tools.optionsFor?.(defaultOptions, { isHybrid: false, sources: [] })).toEqual(
      defaultOptions,
    );
  });
});
