import { Writable } from "node:stream";
import { stripVTControlCharacters as plain } from "node:util";
import { expect, it, vi } from "vitest";
import { type FollowedRun, leftText, runBars } from "./follow-runs.ts";

function gathered(isTTY: boolean) {
  let text = "";
  const write = (chunk: Buffer, _: string, done: () => void) => {
    text += chunk;
    done();
  };
  return {
    stream: Object.assign(new Writable({ write }), { isTTY, columns: 120 }),
    text: () => text,
  };
}

const aRun = (
  slug: string,
  done: number,
  failed = 0,
  estimatedFinishAt: string | null = null,
): FollowedRun => ({
  estimatedFinishAt,
  id: `run_${slug}`,
  status: "running",
  statusReason: null,
  model: { slug } as FollowedRun["model"],
  progress: { total: 40, done, failed },
});

it("runBars() draws a bar for each run on a terminal and restores the cursor", async () => {
  const { stream, text } = gathered(true);
  const bars = runBars(stream);
  bars.show([aRun("acme/a", 10), aRun("acme/longer", 0)]);
  bars.show([aRun("acme/a", 20, 3), aRun("acme/longer", 40)]);
  await vi.waitFor(() => expect(text()).toContain("40/40"));
  bars.clear();
  const drawn = (name: string, full: number, said: string) =>
    `${name} ${"\u2588".repeat(full)}${"\u2591".repeat(24 - full)} ${said}`;
  expect(plain(text())).toContain(drawn("acme/a     ", 12, "20/40 samples  running, 3 failed"));
  expect(plain(text())).toContain(drawn("acme/longer", 24, "40/40 samples  running"));
  expect(text().lastIndexOf("\x1b[?25h")).toBeGreaterThan(text().lastIndexOf("\x1b[?25l"));
});

it("runBars() prints changes every half minute without a terminal", () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date"] });
  const { stream, text } = gathered(false);
  const bars = runBars(stream);
  bars.show([aRun("acme/a", 10)]);
  expect(text()).toBe("");
  vi.setSystemTime(30_000);
  const waiting = { ...aRun("acme/b", 0), waitingUntil: "1970-01-01T00:54:10.000Z" };
  bars.show([aRun("acme/a", 20, 3, "1970-01-01T00:01:00Z"), waiting]);
  bars.show([aRun("acme/a", 21), waiting]);
  vi.setSystemTime(60_000);
  bars.show([{ ...aRun("acme/a", 40), status: "finished", variant: { top_p: 1 } }, waiting]);
  bars.clear();
  expect(text().split("\n")).toEqual([
    "acme/a: 20/40 samples, running, 3 failed, about 30 s left",
    "acme/b: 0/40 samples, running, asks the endpoint again at 00:54:10 UTC",
    "acme/a, top_p 1: 40/40 samples, finished",
    "",
  ]);
});

it("runBars() shows the service's estimate of the remaining time", async () => {
  const { stream, text } = gathered(true);
  const bars = runBars(stream);
  bars.show([aRun("acme/a", 10, 0, new Date(Date.now() + 89_500).toISOString())]);
  await vi.waitFor(() => expect(text()).toContain("10/40 samples  running, about 1 min 30 s left"));
  bars.clear();
});

it.each([
  [{ status: "running", estimatedFinishAt: "1970-01-01T00:00:08.2Z" }, ", about 9 s left"],
  [{ status: "running", estimatedFinishAt: "1969-12-31T23:00:00Z" }, ", about 0 s left"],
  [{ status: "running", estimatedFinishAt: "1970-01-01T02:01:30Z" }, ", about 2 h 1 min left"],
  [{ status: "running", estimatedFinishAt: null }, ""],
  [{ status: "paused", estimatedFinishAt: "1970-01-01T00:00:08Z" }, ""],
] as const)("leftText() of %j is %j", (run, text) => {
  expect(leftText(run, 0)).toBe(text);
});
