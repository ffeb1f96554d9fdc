import { setTimeout } from "node:timers/promises";
import { type Conditions, far } from "../cloud/data-plane.ts";
import { evaluated } from "./evaluated.ts";
import { equal, NAME, onDeployed, type Scene } from "./scene.ts";

/** Nothing comes when it should, and everything comes twice. */
const unordered: Conditions = {
  ...far,
  doubled: 1,
  lateMs: 2_000,
  crons: { everyMs: 3_000, lateMs: 2_000, doubled: 0.5, skipped: 0.3 },
};

/** A run is right whatever queues and cron triggers do. */
export const deliveryScenes: readonly Scene[] = [
  {
    name: "messages and cron triggers twice, late, skipped and out of order",
    isQuick: false,
    play: () =>
      onDeployed({ conditions: unordered }, async (cloud, findings) => {
        const score = await evaluated(cloud);
        findings.add("perfect answers are evaluated to 1", () => equal(score, "finished 1"));
        const { usage, queues } = cloud.workers;
        const crons = usage.filter(({ kind }) => kind === "scheduled").length;
        findings.add("cron triggers came", () => (crons > 0 ? undefined : "none"));
        const finish = `${NAME}-finish`;
        for (let look = 0; look < 120 && (queues.delivered.get(finish) ?? 0) < 2; look++)
          await setTimeout(500);
        const finishes = queues.delivered.get(finish) ?? 0;
        findings.add("messages came twice", () => (finishes > 1 ? undefined : `${finishes}`));
        const after = await evaluated(cloud);
        findings.add("and so they are afterwards", () => equal(after, "finished 1"));
        const bare = usage.reduce((sum, { withoutAgent }) => sum + withoutAgent, 0);
        findings.add("every request named its User-Agent", () => equal(bare, 0));
      }),
  },
];
