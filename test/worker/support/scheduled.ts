import { expect } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { createSchedule, runNow } from "../../../api/schedules/service.ts";
import { runDueSchedules } from "../../../api/schedules/ticks.ts";
import { submissionsOf } from "../../../api/schedules/view.ts";
import { newScheduleSchema } from "../../../shared/contracts/schedules/schedule.ts";
import { anAccount, deliver, harness, type Mail, relayDataset } from "./harness.ts";

/** The key of the schedules' endpoint. */
export const SECRET = "sk-plain-secret";

/** The body of a schedule for a relay model, every six hours. */
export const aSchedule = (dataset: string, more: object = {}) => ({
  suite: "relay",
  dataset,
  everyHours: 6,
  model: {
    name: "Model",
    endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "m", apiKey: SECRET },
  },
  ...more,
});

/** Runs the cron job once, and delivers the ticks that it started. */
export async function runDue({ platform, mail }: { platform: Platform; mail: Mail }) {
  await runDueSchedules(platform);
  for (;;) {
    const at = mail.finish.findIndex(({ kind }) => kind === "ticks");
    if (at < 0) return;
    await deliver(platform, "finish", mail.finish.splice(at, 1)[0]);
  }
}

/** A schedule for a relay model, and a manual clock. */
export async function scheduled(
  more: object = {},
  account = anAccount("acme"),
  overrides: Partial<Platform> = {},
) {
  const clock = { now: Date.parse("2026-11-22T10:00:00Z") };
  const rig = harness({ now: () => clock.now, ...overrides });
  const dataset = await relayDataset(rig.platform, 3);
  const wanted = newScheduleSchema.parse(aSchedule(dataset, more));
  const created = await createSchedule(rig.platform, account, wanted);
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  const { id } = created.value;
  const current = async () => (await rig.platform.schedules.get(id)) ?? expect.unreachable("gone");
  return {
    ...rig,
    dataset,
    clock,
    id,
    current,
    runs: () => rig.platform.schedules.runs(submissionsOf(id), 100),
    failRun: async () => {
      const [run] = await rig.platform.schedules.runs(submissionsOf(id), 1);
      await rig.platform.runs.fail(run?.id ?? "", "the endpoint is gone", clock.now);
    },
    /** Calls run-now a minute later. */
    runNow: () => {
      clock.now += 60_000;
      return runNow(rig.platform, account, id);
    },
    log: async () =>
      (await rig.platform.schedules.events(id, 100)).map(({ kind }) => kind).reverse(),
    /** Advances the clock to the next tick, and runs it. */
    tick: async (lateMs = 0) => {
      clock.now = (await current()).nextAt + lateMs;
      await runDue(rig);
    },
  };
}
