import type { JudgeCalls, JudgeSpend } from "#shared/measures/judging/judge-spend.ts";

const SUMS = ["requests", "input_tokens", "output_tokens", "usd", "unpriced"] as const;

const names: Readonly<Record<(typeof SUMS)[number], keyof JudgeCalls>> = {
  requests: "requests",
  input_tokens: "inputTokens",
  output_tokens: "outputTokens",
  usd: "usd",
  unpriced: "unpriced",
};

/**
 * Adds the calls stored with a run to the day's sums, or takes them off: `sign` is "" or "-". Parameters: ?1 run, and those
 * of the condition.
 */
const COUNT = (sign: "" | "-", condition = "true"): string => `
  INSERT INTO judge_spend (day, owner, judge, ${SUMS})
  SELECT judge_spend ->> 'day', owner, its.value ->> 'judge',
    ${SUMS.map((sum) => `${sign}(its.value ->> '${names[sum]}')`)}
  FROM runs, json_each(judge_spend, '$.judges') AS its WHERE runs.id = ?1 AND ${condition}
  ON CONFLICT (day, owner, judge) DO UPDATE
  SET ${SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`)}`;

const STORE = "UPDATE runs SET judge_spend = ?2 WHERE id = ?1";

/** In place of the judges of a run that has not ended: what they will probably cost. */
const ESTIMATE = "estimate";

/** The estimated cost of a run's judges, as it is stored with the run until the actual one is known. */
export const estimatedSpend = (day: string, usd: number) => ({
  day,
  judges: [{ judge: ESTIMATE, requests: 0, inputTokens: 0, outputTokens: 0, usd, unpriced: 0 }],
});

/** Cost of judges that an account's quota of a day allows. */
export interface SpendLimit {
  payer: string;
  /** Accounts whose cost counts together. */
  owners: string[];
  day: string;
  allowedUsd: number;
}

const OF_OWNERS = `FROM judge_spend WHERE day = ?1 AND owner IN (SELECT value FROM json_each(?2))`;

/** After the estimates were counted: the table's check undoes the whole batch beyond the limit. In millionths of USD. */
const WITHIN_LIMIT = `
  INSERT INTO usage (key, day, used, allowed)
  SELECT 'judges:' || ?3, ?1, CAST(round(coalesce(sum(usd), 0) * 1e6) AS INTEGER), CAST(round(?4 * 1e6) AS INTEGER)
  ${OF_OWNERS}
  ON CONFLICT (key, day) DO UPDATE SET used = excluded.used, allowed = excluded.allowed`;

/** Statements that count the estimates of new runs, and fail if the quota does not allow them. */
export const chargeSpend = (
  d1: D1Database,
  runIds: readonly string[],
  { payer, owners, day, allowedUsd }: SpendLimit,
): D1PreparedStatement[] => [
  ...runIds.map((id) => d1.prepare(COUNT("")).bind(id)),
  d1.prepare(WITHIN_LIMIT).bind(day, JSON.stringify(owners), payer, allowedUsd),
];

const IS_ESTIMATE = `judge_spend ->> '$.judges[0].judge' = '${ESTIMATE}'`;

/**
 * Statements that lower the estimate of a run that ends without a result, to the share of its answers that were judged.
 * For the batch that ends it, before its status changes. Parameters: ?1 the run, and those of the condition.
 */
export function releaseSpend(condition: string): string[] {
  const isIts = `${IS_ESTIMATE} AND ${condition}`;
  const judged = `CASE WHEN phase = 'judging' AND total > 0 THEN 1.0 * done / total ELSE 0 END`;
  return [
    COUNT("-", isIts),
    `UPDATE runs SET judge_spend = json_set(judge_spend, '$.judges[0].usd',
      (judge_spend ->> '$.judges[0].usd') * ${judged}) WHERE id = ?1 AND ${isIts}`,
    COUNT("", isIts),
  ];
}

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
    /** Cost of a day for some accounts, with estimates of active runs. */
    async ofDay(day: string, owners: readonly string[]): Promise<number> {
      const found = d1.prepare(`SELECT sum(usd) AS usd ${OF_OWNERS}`);
      return (await found.bind(day, JSON.stringify(owners)).first<number | null>("usd")) ?? 0;
    },
    /** From a day on, newest first. Without estimates. */
    async since(day: string, limit: number): Promise<SpentRow[]> {
      const found = await d1
        .prepare(
          `SELECT day, owner, judge, ${SUMS.map((sum) => `${sum} AS ${names[sum]}`)}
          FROM judge_spend WHERE day >= ?1 AND judge <> '${ESTIMATE}' ORDER BY day DESC LIMIT ?2`,
        )
        .bind(day, limit)
        .all<SpentRow>();
      return found.results;
    },
  };
}
