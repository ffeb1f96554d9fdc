import { describe, expect, it } from "vitest";
import { downloadName } from "./download-name.ts";

describe("downloadName()", () => {
  it.each([
    [["acme/receipts@1a2b", "board"], "acme-receipts-1a2b-board.csv"],
    [['a"; filename="evil.exe'], "a-filename-evil-exe.csv"],
    [["../../etc/passwd"], "etc-passwd.csv"],
    [["a\r\nb: c"], "a-b-c.csv"],
    [["\u202egpj"], "gpj.csv"],
    [["…"], "assay.csv"],
    [["x".repeat(300)], `${"x".repeat(100)}.csv`],
  ])("makes a safe file name of %j", (parts, name) => {
    expect(downloadName(parts, "csv")).toBe(name);
  });
});
