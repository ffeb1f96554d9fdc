import type { RequestCheck } from "./checks/requests.ts";
import { faultKinds } from "./fault-outcomes.ts";
import { others, streamFaults } from "./scenes.ts";
import type { Stage } from "./stage.ts";

/** The outcome of one kind of fault. */
export interface FaultRow {
  fault: string;
  injected: number;
  survived: number;
  lost: number;
}

/** Names of counters of the faulty Worker that are not faults. */
const counters = /connection|^cron$|^message given up$/;

/**
 * A fault of the endpoint is survived if the row of its sample matches the requests. The damage of one fault of the
 * service can't be told from that of another, so all of them count as lost as soon as one check fails.
 */
export function tableOf(
  stage: Stage,
  requests: ReadonlyMap<string, RequestCheck>,
  isIntact: boolean,
): FaultRow[] {
  const met = [...requests.values()].flatMap(({ faults }) => faults);
  const ofEndpoint = faultKinds.map((kind) =>
    endpointRow(
      kind,
      met.filter(({ fault }) => fault === kind),
    ),
  );
  const ofStreams = others.map((protocol) => {
    const { faults = [] } = requests.get(protocol) ?? {};
    const ofStream = faults.filter(({ fault }) => streamFaults.some((kind) => kind === fault));
    return endpointRow(`${streamFaults.join(", ")} in ${protocol}`, ofStream);
  });
  const injected = stage.service.injected();
  const ofService: [fault: string, count: number][] = [
    ["server killed (kill -9) during a run", stage.kills],
    ...[...injected].filter(([fault]) => !counters.test(fault)).sort(),
    ["two cron runs at once", Math.floor((injected.get("cron") ?? 0) / 2)],
    ...[...stage.calls].sort(),
  ];
  const rows = ofService.map(([fault, count]) => rowOf(fault, count, isIntact ? count : 0));
  return [...ofEndpoint, ...ofStreams, ...rows];
}

const endpointRow = (what: string, met: RequestCheck["faults"]): FaultRow =>
  rowOf(`endpoint: ${what}`, met.length, met.filter(({ explained }) => explained).length);

const rowOf = (fault: string, injected: number, survived: number): FaultRow => ({
  fault,
  injected,
  survived,
  lost: injected - survived,
});

const columns = ["fault", "injected", "survived", "lost"] as const;

/** The rows as lines with aligned columns. */
export function tableText(rows: readonly FaultRow[]): string {
  const cells = [[...columns], ...rows.map((row) => columns.map((column) => `${row[column]}`))];
  const widths = columns.map((_, k) => Math.max(...cells.map((line) => line[k]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, k) => (k === 0 ? cell.padEnd(widths[k] ?? 0) : cell.padStart(widths[k] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
