import type { Account } from "./cloud/account.ts";
import type { Cloud } from "./cloud/cloud.ts";
import {
  ASSET_MAX_BYTES,
  DAILY,
  headerRules,
  MOST,
  variablesOf,
  WORKER_MAX_BYTES,
  workerBytes,
} from "./cloud/control/account-limits.ts";
import { type Limits, limitsOf, type Usage } from "./cloud/limits.ts";
import { guards, type LimitName } from "./guards/guards.ts";

/** The highest use of a limit. */
export interface Use {
  limit: LimitName;
  most: number;
  of: number;
}

/** A scene's use of the platform. */
interface Asked {
  usage: readonly Usage[];
  account: Account;
  /** Null: not measured on this system. */
  heapMb: number | null;
  /** Writes, reads and deletions of messages. */
  queueOperations: number;
}

interface Row {
  limit: LimitName;
  unit: "" | "%" | "bytes" | "MB" | "ms" | "s";
  /** Consequence of exceeding the limit. */
  past: string;
  of: (limits: Limits, account: Account) => number;
  /** Null: not measured. */
  most: (asked: Asked) => number | null;
}

const most = (useOf: (one: Usage) => number) => {
  return ({ usage }: Asked) => usage.reduce((largest, one) => Math.max(largest, useOf(one)), 0);
};
const mostCpuMs =
  (isMeant: (one: Usage) => boolean) =>
  ({ usage, account }: Asked) => {
    // The Free plan's limit is below the time that databases and buckets take here.
    if (account.plan === "free") return null;
    // The CPU time of parallel invocations can't be attributed to one of them.
    const alone = usage.filter((one) => isMeant(one) && one.ranAlone && one.cpuMs !== null);
    return alone.length === 0 ? null : Math.max(...alone.map(({ cpuMs }) => Math.round(cpuMs!)));
  };
/** Workers with pages, without placeholder sites. */
const pagesOf = ({ scripts }: Account) =>
  [...scripts.values()].filter(({ assets }) => (assets?.size ?? 0) > FIRST_PAGES);
const mostOf = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
/** Number of pages of a placeholder site. */
const FIRST_PAGES = 2;
/** Use of a daily limit of the Free plan in the minutes of a scene. */
const daily =
  (useOf: (asked: Asked) => number) =>
  (asked: Asked): number | null =>
    asked.account.plan === "free" ? useOf(asked) : null;
const sumOf = ({ usage }: Asked, useOf: (one: Usage) => number) =>
  usage.reduce((sum, one) => sum + useOf(one), 0);
const throws = "the call throws";
const waits = "the next one waits";

/** Every limit that the rehearsal checks. */
const rows: readonly Row[] = [
  {
    limit: "Requests to other hosts per invocation",
    unit: "",
    past: throws,
    of: ({ subrequests }) => subrequests,
    most: most(({ external }) => external),
  },
  {
    limit: "Requests to R2 and Queues per invocation",
    unit: "",
    past: throws,
    of: ({ internal }) => internal,
    most: most(({ internal }) => internal),
  },
  {
    limit: "Connections that wait for headers per invocation",
    unit: "",
    past: waits,
    of: ({ connections }) => connections,
    most: most(({ connections }) => connections),
  },
  {
    limit: "D1 queries per invocation",
    unit: "",
    past: throws,
    of: ({ d1Queries }) => d1Queries,
    most: most(({ d1Queries }) => d1Queries),
  },
  {
    limit: "Parameters of a D1 statement",
    unit: "",
    past: throws,
    of: ({ d1Parameters }) => d1Parameters,
    most: most(({ parameters }) => parameters),
  },
  {
    limit: "Size of a D1 statement",
    unit: "bytes",
    past: throws,
    of: ({ d1StatementBytes }) => d1StatementBytes,
    most: most(({ largestStatementBytes }) => largestStatementBytes),
  },
  {
    limit: "Size of a value or row in D1",
    unit: "bytes",
    past: throws,
    of: ({ d1ValueBytes }) => d1ValueBytes,
    most: most(({ largestValueBytes }) => largestValueBytes),
  },
  {
    limit: "Size of the database",
    unit: "bytes",
    past: "statements that need space throw",
    of: ({ d1DatabaseBytes }) => d1DatabaseBytes,
    most: most(({ d1DatabaseBytes }) => d1DatabaseBytes),
  },
  {
    limit: "Time of a D1 call in the database",
    unit: "ms",
    past: "the database resets, and every waiting call throws",
    of: ({ d1QueryMs }) => d1QueryMs,
    most: most(({ d1LongestMs }) => Math.round(d1LongestMs)),
  },
  {
    limit: "Time that a D1 call waits for other calls",
    unit: "ms",
    past: "the call throws “overloaded”",
    of: ({ d1QueuedMs }) => d1QueuedMs,
    most: most(({ d1QueuedMs }) => Math.round(d1QueuedMs)),
  },
  {
    limit: "Size of a queue message",
    unit: "bytes",
    past: throws,
    of: ({ messageBytes }) => messageBytes,
    most: most(({ largestMessageBytes }) => largestMessageBytes),
  },
  {
    limit: "Messages in one sendBatch",
    unit: "",
    past: throws,
    of: ({ batchMessages }) => batchMessages,
    most: most(({ largestBatch }) => largestBatch),
  },
  {
    limit: "Size of one sendBatch",
    unit: "bytes",
    past: throws,
    of: ({ batchBytes }) => batchBytes,
    most: most(({ largestBatchBytes }) => largestBatchBytes),
  },
  {
    limit: "Delay of a message",
    unit: "s",
    past: throws,
    of: ({ delaySeconds }) => delaySeconds,
    most: most(({ longestDelaySeconds }) => longestDelaySeconds),
  },
  {
    limit: "Memory of an isolate",
    unit: "MB",
    past: "the isolate and all its work end",
    of: ({ heapMb }) => heapMb,
    most: ({ heapMb }) => (heapMb === null ? null : Math.round(heapMb)),
  },
  {
    limit: "CPU time of a request",
    unit: "ms",
    past: "the request fails",
    of: ({ cpuMs }) => cpuMs,
    most: mostCpuMs(({ kind }) => kind === "fetch"),
  },
  {
    limit: "CPU time of a message or cron trigger",
    unit: "ms",
    past: "the message is redelivered",
    of: ({ cpuMs }) => cpuMs,
    most: mostCpuMs(({ kind }) => kind !== "fetch"),
  },
  {
    limit: "Wall time of a message or cron trigger",
    unit: "ms",
    past: "the invocation ends, and its message is redelivered",
    of: ({ wallMs }) => wallMs,
    most: most(({ kind, ms }) => (kind === "fetch" ? 0 : Math.round(ms))),
  },
  {
    limit: "Time after a response",
    unit: "ms",
    past: "unfinished work is cancelled",
    of: ({ afterResponseMs }) => afterResponseMs,
    most: most(({ kind, afterMs }) => (kind === "fetch" ? afterMs : 0)),
  },
  {
    limit: "Writes of one R2 key per second",
    unit: "",
    past: throws,
    of: () => 1,
    most: most(({ keyWrites }) => keyWrites),
  },
  {
    limit: "A rate limit per caller and location",
    unit: "%",
    past: "the request is answered with 429 and Retry-After",
    of: () => 100,
    most: most(({ rateLimitPercent }) => rateLimitPercent),
  },
  {
    limit: "Static files of a Worker",
    unit: "",
    past: "the upload is refused",
    of: (_, { plan }) => MOST[plan].assets,
    most: ({ account }) => mostOf(pagesOf(account).map(({ assets }) => assets?.size ?? 0)),
  },
  {
    limit: "Size of a static file",
    unit: "bytes",
    past: "the upload is refused",
    of: () => ASSET_MAX_BYTES,
    most: ({ account }) =>
      mostOf(
        pagesOf(account).map(({ assets }) =>
          [...assets!.values()].reduce((sum, { content }) => Math.max(sum, content.length), 0),
        ),
      ),
  },
  {
    limit: "Rules in _headers",
    unit: "",
    past: "the rules after it are ignored",
    of: () => MOST.headerRules,
    most: ({ account }) => mostOf(pagesOf(account).map(({ metadata }) => headerRules(metadata))),
  },
  {
    limit: "Cron triggers of an account",
    unit: "",
    past: "the deployment is refused",
    of: (_, { plan }) => MOST[plan].crons,
    most: ({ account }) =>
      [...account.scripts.values()].reduce((sum, { crons }) => sum + crons.length, 0),
  },
  {
    limit: "Variables and secrets of a Worker",
    unit: "",
    past: "the upload is refused",
    of: (_, { plan }) => MOST[plan].variables,
    most: ({ account }) =>
      Math.max(
        0,
        ...[...account.scripts.values()].map((one) => variablesOf(one.metadata) + one.secrets.size),
      ),
  },
  {
    limit: "Size of the Worker, compressed",
    unit: "bytes",
    past: "the upload is refused",
    of: (_, { plan }) => WORKER_MAX_BYTES[plan],
    most: ({ account }) => Math.max(0, ...[...account.scripts.values()].map(workerBytes)),
  },
  {
    limit: "Requests per day, Free plan",
    unit: "",
    past: "requests get error 1027 until midnight UTC",
    of: () => DAILY.requests,
    most: daily(({ usage }) => usage.length),
  },
  {
    limit: "D1 rows read per day, Free plan",
    unit: "",
    past: "queries throw until midnight UTC",
    of: () => DAILY.d1RowsRead,
    most: daily((asked) => sumOf(asked, ({ d1RowsRead }) => d1RowsRead)),
  },
  {
    limit: "D1 rows written per day, Free plan",
    unit: "",
    past: "queries throw until midnight UTC",
    of: () => DAILY.d1RowsWritten,
    most: daily((asked) => sumOf(asked, ({ d1RowsWritten }) => d1RowsWritten)),
  },
  {
    limit: "Queue operations per day, Free plan",
    unit: "",
    past: "messages are neither accepted nor delivered until midnight UTC",
    of: () => DAILY.queueOperations,
    most: daily(({ queueOperations }) => queueOperations),
  },
];

/** A scene's highest use of each measured limit. */
export function usesOf({ account, workers }: Cloud): Use[] {
  const asked = {
    account,
    usage: workers.usage,
    heapMb: workers.watch.isHeapKnown ? workers.watch.peakHeapMb : null,
    queueOperations: workers.queues.operations,
  };
  const script = [...account.scripts.values()].find(({ modules }) => modules.length > 0);
  const limits = {
    ...limitsOf(account.plan, script?.metadata.limits?.cpu_ms),
    ...workers.conditions.limits,
  };
  return rows.flatMap(({ limit, of, most: mostOf }) => {
    const used = mostOf(asked);
    return used === null ? [] : [{ limit, most: used, of: of(limits, account) }];
  });
}

/** The highest use of a limit, and its scene. */
export interface Nearest extends Use {
  scene: string;
  unit: string;
  past: string;
  /** How the product stays below the limit. */
  keptBy: string;
}

/** The highest use of each limit over all scenes, in the order of the limits. */
export function nearest(scenes: readonly { scene: string; uses: readonly Use[] }[]): Nearest[] {
  return rows.flatMap(({ limit, unit, past }) => {
    const all = scenes.flatMap(({ scene, uses }) =>
      uses.filter((one) => one.limit === limit).map((one) => ({ scene, ...one })),
    );
    const first = all.sort((a, b) => b.most / b.of - a.most / a.of)[0];
    return first === undefined ? [] : [{ ...first, unit, past, keptBy: guards[limit].by }];
  });
}

const number = (value: number) => value.toLocaleString("en");

/** The table as text. */
export function tableOf(scenes: readonly { scene: string; uses: readonly Use[] }[]): string {
  const lines = nearest(scenes).map(({ limit, most: used, of, unit, past, scene }) => [
    limit,
    `${number(used)} of ${number(of)}${unit && ` ${unit}`}`,
    `${((100 * used) / of).toFixed(used / of < 0.1 ? 1 : 0)}%`,
    past,
    scene,
  ]);
  const all = [["Limit", "Highest use", "Share", "When exceeded", "Scene"], ...lines];
  const widths = all[0]!.map((_, at) => Math.max(...all.map((line) => line[at]!.length)));
  return all
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
