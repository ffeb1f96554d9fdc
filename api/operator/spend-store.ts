import type { JudgeCalls, JudgeSpend } from "#shared/measures/judging/judge-spend.ts";
import { isOverQuota } from "../keys/quota-store.ts";

const SUMS = ["requests", "input_tokens", "output_tokens", "usd", "unpriced"] as const;

const names: Readonly<Record<(typeof SUMS)[number], keyof JudgeCalls>> = {
  requests: "requests",
  input_tokens: "inputTokens",
  output_tokens: "outputTokens",
  usd: "usd",
  unpriced: "unpriced",
};

/**
 * Adds the calls stored with a run to the day's sums, or subtracts them: `sign` is "" or "-". Parameters: ?1 run, and
 * those of the condition.
 */
const COUNT = (sign: "" | "-", condition = "true", runs = "= ?1"): string => `
  INSERT INTO judge_spend (day, owner, judge, ${SUMS})
  SELECT judge_spend ->> 'day', owner, its.value ->> 'judge',
    ${SUMS.map((sum) => `${sign}(its.value ->> '${names[sum]}')`)}
  FROM runs, json_each(judge_spend, '$.judges') AS its WHERE runs.id ${runs} AND ${condition}
  ON CONFLICT (day, owner, judge) DO UPDATE
  SET ${SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`)}`;

const STORE = "UPDATE runs SET judge_spend = ?2 WHERE id = ?1";

/** Name of the estimated cost of further calls, which is stored next to the judges of an active run. */
const ESTIMATE = "estimate";

/** SQL: the account has a quota that stops the run; only then was its estimate reserved. */
const IS_LIMITED = "runs.judge_spend ->> 'isLimited'";

/**
 * Adds calls to those stored with the run, and moves them to the day of the new ones; the estimate never falls below
 * zero. `calls`: the parameter with the calls.
 */
const ADD = (calls: string, condition: string): string => `
  UPDATE runs SET judge_spend = json_object('day', ${calls} ->> 'day',
    'isLimited', max(coalesce(${IS_LIMITED}, 0), coalesce(${calls} ->> 'isLimited', 0)), 'judges', (
    SELECT json_group_array(json_object('judge', judge, ${SUMS.map((sum) => `'${names[sum]}', ${sum}`)}))
    FROM (SELECT value ->> 'judge' AS judge, ${SUMS.map((sum) => `max(0, sum(value ->> '${names[sum]}')) AS ${sum}`)}
      FROM (SELECT value FROM json_each(runs.judge_spend, '$.judges')
        UNION ALL SELECT value FROM json_each(${calls}, '$.judges'))
      GROUP BY 1 HAVING judge <> '${ESTIMATE}' OR sum(value ->> 'usd') > 0)))
  WHERE id = ?1 AND ${condition}`;

/** Statements that add calls to a run's and to the day's sums. Parameters: ?1 run, `calls`, and those of the condition. */
export const addSpend = (calls: string, condition: string): string[] => [
  COUNT("-", condition),
  ADD(calls, condition),
  COUNT("", condition),
];

const estimateOf = (usd: number) => ({
  judge: ESTIMATE,
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  usd,
  unpriced: 0,
});

/** What a commit adds to a run: paid calls, which replace part of the estimate. Null: none. */
export const paidSpend = (day: string, spend: JudgeSpend) => {
  if (spend.size === 0) return null;
  const judges = [...spend].map(([judge, calls]) => ({ judge, ...calls }));
  const usd = judges.reduce((sum, its) => sum + its.usd, 0);
  return { day, judges: [...judges, estimateOf(-usd)] };
};

/** The estimated cost of a run's judges, stored with the run until the actual cost is known. */
export const estimatedSpend = (day: string, usd: number) => ({
  day,
  isLimited: 1,
  judges: [estimateOf(usd)],
});

/** Limit of an account's daily cost of judges. */
export interface SpendLimit {
  payer: string;
  /** Accounts whose cost is counted together. */
  owners: string[];
  day: string;
  allowedUsd: number;
}

const OF_OWNERS = `FROM judge_spend WHERE day = ?1 AND owner IN (SELECT value FROM json_each(?2))`;

/**
 * Run after the estimates are counted: the table's check rolls back the whole batch if the limit is exceeded. In
 * millionths of USD.
 */
const WITHIN_LIMIT = `
  INSERT INTO usage (key, day, used, allowed)
  SELECT 'judges:' || ?3, ?1, CAST(round(coalesce(sum(usd), 0) * 1e6) AS INTEGER), CAST(round(?4 * 1e6) AS INTEGER)
  ${OF_OWNERS}
  ON CONFLICT (key, day) DO UPDATE SET used = excluded.used, allowed = excluded.allowed`;

/** A statement that fails if the day's cost exceeds the quota. */
export const withinLimit = (d1: D1Database, { payer, owners, day, allowedUsd }: SpendLimit) =>
  d1.prepare(WITHIN_LIMIT).bind(day, JSON.stringify(owners), payer, allowedUsd);

/** SQL: a run under a quota has used up its reservation. */
export const BEYOND_ESTIMATE = `(coalesce(${IS_LIMITED}, 0) = 1 AND NOT EXISTS (
  SELECT 1 FROM json_each(runs.judge_spend, '$.judges') WHERE value ->> 'judge' = '${ESTIMATE}'))`;

const PAYER = `coalesce(
  (SELECT created_by FROM accounts WHERE accounts.owner = runs.owner AND quotas IS NULL), runs.owner)`;

export const QUOTA_REACHED = "the account's quota of judges for the day is reached";

/**
 * Pauses a run that exceeds its reservation once the quota is reached, based on the last charge; ?1: the run.
 * Reservations of other runs stay untouched.
 */
export const PAUSE_AT_QUOTA = `
  UPDATE runs SET status = 'paused', status_reason = '${QUOTA_REACHED.replaceAll("'", "''")}'
  WHERE id = ?1 AND status = 'running' AND done < total AND ${BEYOND_ESTIMATE}
    AND (SELECT sum(usd) * 1e6 FROM judge_spend its WHERE its.day = runs.judge_spend ->> 'day' AND (
      its.owner = ${PAYER}
      OR its.owner IN (SELECT owner FROM accounts WHERE created_by = ${PAYER} AND quotas IS NULL)
    )) >= (SELECT allowed FROM usage WHERE key = 'judges:' || ${PAYER} ORDER BY day DESC LIMIT 1)`;

const SET_DAY = "UPDATE runs SET judge_spend = json_set(judge_spend, '$.day', ?2) WHERE id = ?1";
const UNLIMIT =
  "UPDATE runs SET judge_spend = json_set(judge_spend, '$.isLimited', 0) WHERE id = ?1";

/** Statements that count the estimates of new runs, and fail if the quota does not allow them. */
export const chargeSpend = (
  d1: D1Database,
  runIds: readonly string[],
  limit: SpendLimit,
): D1PreparedStatement[] => [
  d1
    .prepare(COUNT("", "true", "IN (SELECT value FROM json_each(?1))"))
    .bind(JSON.stringify(runIds)),
  withinLimit(d1, limit),
];

/**
 * Statements that subtract the rest of the estimate when a run ends. For the batch that ends it, before its status
 * changes. Parameters: ?1 the run, and those of the condition.
 */
export const releaseSpend = (condition: string): string[] => [
  COUNT("-", `its.value ->> 'judge' = '${ESTIMATE}' AND ${condition}`),
  `UPDATE runs SET judge_spend = json_set(judge_spend, '$.judges', (
    SELECT json_group_array(json(value)) FROM json_each(runs.judge_spend, '$.judges')
    WHERE value ->> 'judge' <> '${ESTIMATE}')) WHERE id = ?1 AND judge_spend IS NOT NULL AND ${condition}`,
];

/** Calls of one account to one judge over some days. */
export interface SpentRow extends JudgeCalls {
  day: string;
  owner: string;
  judge: string;
}

export type SpendStore = ReturnType<typeof spendStore>;

/** Paid calls of judges in D1: of each run, and by day, account and judge. */
export function spendStore(d1: D1Database) {
  return {
    /** Replaces what is stored for a run. Idempotent; a run that is summed up again moves to the new day. */
    async record(runId: string, spend: JudgeSpend, day: string): Promise<void> {
      const judges = [...spend].map(([judge, calls]) => ({ judge, ...calls }));
      await d1.batch([
        d1.prepare(COUNT("-")).bind(runId),
        d1.prepare(STORE).bind(runId, JSON.stringify({ day, judges })),
        d1.prepare(COUNT("")).bind(runId),
      ]);
    },
    /** Lets a run continue today within a quota; null: without one. False if the quota is used up. */
    async admit(runId: string, limit: SpendLimit | null): Promise<boolean> {
      if (limit === null) {
        await d1.prepare(UNLIMIT).bind(runId).run();
        return true;
      }
      try {
        await d1.batch([
          d1.prepare(COUNT("-")).bind(runId),
          d1.prepare(SET_DAY).bind(runId, limit.day),
          d1.prepare(COUNT("")).bind(runId),
          withinLimit(d1, limit),
        ]);
        return true;
      } catch (error) {
        if (isOverQuota(error)) return false;
        throw error;
      }
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
