import { describe, expect, it } from "vitest";
import { exportPath } from "../commands/export.ts";

const nothing = { what: undefined, format: undefined, output: "-", fields: false, whole: false };

describe("exportPath()", () => {
  it.each<[Partial<Parameters<typeof exportPath>[0]>, string]>([
    [{}, "/samples.jsonl"],
    [{ output: "a.csv" }, "/samples.csv"],
    [{ output: "a.csv.gz" }, "/samples.csv"],
    [{ output: "run.json" }, "/aggregates.json"],
    [{ output: "report.md" }, "/report.md"],
    [{ what: "report", format: "json" }, "/report"],
    [{ what: "fields" }, "/fields.csv"],
    [{ what: "samples", output: "a.json" }, "/samples.json"],
    [{ fields: true }, "/samples.jsonl?fields=true"],
    [{ what: "every-eval-ever" }, "/every-eval-ever.json"],
    [{ what: "every-eval-ever", output: "a.jsonl.gz" }, "/every-eval-ever.jsonl"],
    [{ what: "answers", whole: true }, "/answers.jsonl?whole=true"],
    [{ what: "statement" }, "/statement"],
    [{ what: "scores", output: "baseline.json" }, "/scores.json"],
    [{ what: "aggregates", format: "csv", output: "a.json" }, "/aggregates.csv"],
    [{ format: "csv", output: "a.txt" }, "/samples.csv"],
    [{ output: "/tmp/tmp.AbCdEfGhIj" }, "/samples.jsonl"],
  ])("returns for %j %s", (asked, path) => {
    expect(exportPath({ ...nothing, ...asked })).toBe(path);
  });

  it("refuses a file extension that is not a format", () => {
    const named = { ...nothing, what: "answers" as const, output: "a.xlsx" };
    expect(() => exportPath(named)).toThrow(
      "answers cannot be exported as xlsx; choose jsonl or parquet",
    );
  });
});
