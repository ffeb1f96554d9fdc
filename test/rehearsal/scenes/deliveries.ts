import { setTimeout } from "node:timers/promises";
import { type Conditions, far } from "../cloud/data-plane.ts";
import { evaluated } from "./evaluated.ts";
import { answered, ended, expectedMetrics, HOST, submitted, upload } from "./runs.ts";
import { equal, onDeployed, rowsOf, type Scene } from "./scene.ts";

const SAMPLES = 40;
const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };

/** Everything is delivered late and twice. */
const unordered: Conditions = {
  ...far,
  doubled: 1,
  lateMs: 2_000,
  crons: { everyMs: 3_000, lateMs: 2_000, doubled: 0.5, skipped: 0.3 },
};

/** Runs are correct however queues and cron triggers behave. */
export const deliveryScenes: readonly Scene[] = [
  {
    name: "messages and cron triggers twice, late, skipped and out of order",
    isQuick: false,
    play: () =>
      onDeployed({ conditions: unordered }, async (cloud, findings) => {
        cloud.workers.outside = answered;
        await upload(cloud, SAMPLES);
        const run = await submitted(cloud, SAMPLES, "asked", { endpoint });
        const { metrics } = await ended(cloud, run);
        findings.add("a run at an endpoint has the right score of every sample", () =>
          equal(metrics?.["eqs"], expectedMetrics(run, SAMPLES).eqs),
        );
        const [stored] = await rowsOf(
          cloud,
          `SELECT count(*) AS n, count(DISTINCT sample_id) AS ids FROM samples WHERE run_id = '${run}'`,
        );
        findings.add("and one row of each", () => equal(stored, { n: SAMPLES, ids: SAMPLES }));
        const { usage, queues } = cloud.workers;
        const crons = () => usage.filter(({ kind }) => kind === "scheduled").length;
        const cameTwice = () =>
          [...queues.sent].filter(
            ([name, sent]) => sent > 0 && (queues.delivered.get(name) ?? 0) >= 2 * sent,
          ).length;
        for (let look = 0; look < 120 && (cameTwice() === 0 || crons() === 0); look++)
          await setTimeout(500);
        findings.add("cron triggers came", () => (crons() > 0 ? undefined : "none"));
        findings.add("messages came twice", () => (cameTwice() > 0 ? undefined : "none"));
        const after = await evaluated(cloud);
        findings.add("perfect answers are evaluated to 1", () => equal(after, "finished 1"));
        const bare = usage.reduce((sum, { withoutAgent }) => sum + withoutAgent, 0);
        findings.add("every request named its User-Agent", () => equal(bare, 0));
      }),
  },
];
