import { expect, it } from "vitest";
import type { Usage } from "../contracts/keys/usage.ts";
import { submissionUseText, usageRows } from "./usage-rows.ts";

const limit = { used: 1_500_000, allowed: 2_000_000 };
const usage: Usage = {
  day: "2026-11-29",
  usedSamples: 4_880,
  allowedSamples: 5_000,
  remainingSamples: 120,
  usedJudgeUsd: 0.6,
  allowedJudgeUsd: null,
  resetsAt: "2026-11-30T00:00:00.000Z",
  owner: "acme",
  datasets: { used: 1, allowed: 100 },
  datasetVersions: { used: 2, allowed: 100 },
  datasetBytes: limit,
  runBytes: limit,
  boards: { used: 0, allowed: null },
  sharedWith: [],
};

it("usageRows() lists use, limit and reset time of each quota", () => {
  const rows = usageRows(usage).map((row) => Object.values(row).join("|"));
  expect(rows[0]).toBe("Samples today|4,880|5,000|2026-11-30T00:00Z");
  expect(rows[1]).toBe("Judges today|0.60 USD|no limit|2026-11-30T00:00Z");
  expect(rows[4]).toBe("Rows of datasets|2 MB|2 MB|");
  expect(rows).toHaveLength(7);
});

it("submissionUseText() names the limited quotas that a submission uses", () => {
  expect(submissionUseText(usage, 60, 0.4)).toBe("uses 60 of 120 samples left today");
  expect(submissionUseText({ ...usage, allowedJudgeUsd: 5 }, 60, 0.4)).toBe(
    "uses 60 of 120 samples left today, about 0.40 of 4.40 USD of judges",
  );
  expect(submissionUseText({ ...usage, remainingSamples: null }, 60, null)).toBe("");
});
