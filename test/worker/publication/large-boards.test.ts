import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { boardMessage } from "../../../api/platform/messages.ts";
import { planLimits } from "../../../api/platform/platform.ts";
import { scoresKey } from "../../../api/runs/run-objects.ts";
import { addModels } from "../support/copied-runs.ts";
import { board, lantern, only, reason, upload } from "../support/corrected-board.ts";
import { countedQueries } from "../support/counted-queries.ts";
import { deliver } from "../support/harness.ts";

it.each([
  ["Free", planLimits.free, 40],
  ["Paid", planLimits.paid, 250],
] as const)(
  "a large board is re-published in parts, each within the queries of an invocation: %s",
  async (_, plan, models) => {
    let clock = Date.now();
    const { count, stores } = countedQueries();
    const rig = await board({ ...stores, now: () => clock });
    const { platform, mail, old } = rig;
    platform.settings = { ...platform.settings, plan };
    const [, , run = ""] = rig.runs;
    await addModels(run, old.id, models - 2);
    const scores = await platform.objects.get(scoresKey((await platform.runs.get(run))!));
    const { get } = platform.objects;
    platform.objects.get = async (key) => (await get<never>(key)) ?? (scores as never);
    clock += 60_000;
    await deliver(platform, "finish", boardMessage(old.id));
    await upload(platform, rig.dataset, lantern, { version: rig.version, reason });
    clock += 60_000;
    mail.finish.length = 0;
    const each: number[] = [];
    const counted = async (work: () => Promise<unknown>) => {
      count.queries = 0;
      await work();
      each.push(count.queries);
    };
    for (let turn = 0; turn < plan.cronTurns; turn++) {
      await counted(() => runCron(platform));
      clock += 60_000;
    }
    const parts = mail.finish.splice(0).filter(({ kind }) => kind === "republication");
    expect(parts).toHaveLength(1);
    for (let message = parts[0]; message?.kind === "republication"; message = mail.finish.pop()) {
      const part = message;
      await counted(() => deliver(platform, "finish", part));
    }
    const { submission_id: submission } = (await env.DB.prepare(
      "SELECT submission_id FROM republications WHERE from_board = ?",
    )
      .bind(old.id)
      .first<{ submission_id: string }>())!;
    const runs = (await platform.runs.submission(submission))?.runs ?? [];
    expect(new Set(runs.map(({ parentId }) => parentId)).size).toBe(models);
    expect(runs).toHaveLength(models);
    expect((await only(rig)).to.board).toBe(runs[0]?.boardId);
    expect(Math.max(...each)).toBeLessThanOrEqual(plan.queries * 0.9);
    expect(each.length).toBeGreaterThan(plan.cronTurns + 2);
  },
);
