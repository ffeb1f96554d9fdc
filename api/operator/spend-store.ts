import type { JudgeCalls, JudgeSpend } from "#shared/measures/judging/judge-spend.ts";

const SUMS = ["requests", "input_tokens", "output_tokens", "usd", "unpriced"] as const;

const names: Readonly<Record<(typeof SUMS)[number], keyof JudgeCalls>> = {
  requests: "requests",
  input_tokens: "inputTokens",
  output_tokens: "outputTokens",
  usd: "usd",
  unpriced: "unpriced",
};

/** Adds the calls stored with a run to the day's sums, or takes them off: `sign` is "" or "-". Parameter: ?1 run. */
const COUNT = (sign: "" | "-"): string => `
  INSERT INTO judge_spend (day, owner, judge, ${SUMS})
  SELECT judge_spend ->> 'day', owner, its.value ->> 'judge',
    ${SUMS.map((sum) => `${sign}(its.value ->> '${names[sum]}')`)}
  FROM runs, json_each(judge_spend, '$.judges') AS its WHERE runs.id = ?1
  ON CONFLICT (day, owner, judge) DO UPDATE
  SET ${SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`)}`;

const STORE = "UPDATE runs SET judge_spend = ?2 WHERE id = ?1";

/** Calls of one account and judge over some days. */
export interface SpentRow extends JudgeCalls {
  day: string;
  owner: string;
  judge: string;
}

export type SpendStore = ReturnType<typeof spendStore>;

/** Paid calls of judges in D1: of each run, and by day, account and judge. */
export function spendStore(d1: D1Database) {
  return {
    /** Replaces what is stored of a run. Idempotent; a run that is summed up again moves to the new day. */
    async record(runId: string, spend: JudgeSpend, day: string): Promise<void> {
      const judges = [...spend].map(([judge, calls]) => ({ judge, ...calls }));
      await d1.batch([
        d1.prepare(COUNT("-")).bind(runId),
        d1.prepare(STORE).bind(runId, JSON.stringify({ day, judges })),
        d1.prepare(COUNT("")).bind(runId),
      ]);
    },
    /** From a day on, newest first. */
    async since(day: string, limit: number): Promise<SpentRow[]> {
      const found = await d1
        .prepare(
          `SELECT day, owner, judge, ${SUMS.map((sum) => `${sum} AS ${names[sum]}`)}
          FROM judge_spend WHERE day >= ?1 ORDER BY day DESC LIMIT ?2`,
        )
        .bind(day, limit)
        .all<SpentRow>();
      return found.results;
    },
  };
}
