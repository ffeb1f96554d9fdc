import { describe, expect, it } from "vitest";
import { parseFaults, pickFault } from "../../../simulator/faults/fault-rates.ts";

describe("parseFaults()", () => {
  it.each([
    ["", {}],
    ["hang", { hang: 1 }],
    ["429:0.1, cut:0.2", { "429": 0.1, cut: 0.2 }],
    ["transient:0.4,500:0.1", { "429": 0.1, "500": 0.2, "503": 0.1, cut: 0.1 }],
  ])("reads '%s'", (text, rates) => {
    expect(parseFaults(text)).toEqual({ passing: rates, lasting: {} });
  });

  it("separates persistent faults", () => {
    expect(parseFaults("invalid-json:0.1!, 429:0.2,hang:0.7!")).toEqual({
      passing: { "429": 0.2 },
      lasting: { "invalid-json": 0.1, hang: 0.7 },
    });
  });

  it.each([
    ["flood:0.1", "unknown fault 'flood'"],
    ["500:2", "the rate of fault '500' must be from 0 to 1, not '2'"],
    ["500:", "the rate of fault '500' must be from 0 to 1, not ''"],
    ["500:0.7,503:0.7", "fault rates must add up to at most 1"],
    ["500:0.7,503:0.7!", "fault rates must add up to at most 1"],
  ])("refuses '%s'", (text, message) => {
    expect(() => parseFaults(text)).toThrow(message);
  });
});

describe("pickFault()", () => {
  it("selects each fault with its rate, and none otherwise", () => {
    const rates = parseFaults("429:0.25,500:0.25").passing;
    expect([0, 0.24, 0.26, 0.49, 0.51].map((unit) => pickFault(rates, unit))).toEqual([
      "429",
      "429",
      "500",
      "500",
      null,
    ]);
  });
});
