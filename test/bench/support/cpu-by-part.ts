import type { Inspector } from "./inspector.ts";

/** Parts of the service's Worker, by what a path in its bundle has to match; the first that does counts. */
const parts = {
  scoring: /(^|\/)shared\/|jsonrepair|@cfworker|levenshtein|stemmer|stopword/,
  endpoint: /api\/endpoints\/|node_modules\/openai/,
  d1: /api\/db\/|node_modules\/drizzle-orm/,
  r2: /api\/storage\//,
  rest: /./,
} as const;

export type ServicePart = keyof typeof parts;

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; scriptId: string };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  /** µs between samples. */
  timeDeltas: number[];
}

/** Microseconds between two looks of the profiler. */
const EVERY_US = 500;

/** It takes no looks while nothing runs: after more time than this without one, what ran has just begun. */
const MOST_US = 5_000;

/**
 * CPU time of the Worker's JavaScript during `work`, ms by part. What native code does counts for the part that
 * called it; collecting garbage for `rest`.
 */
export async function cpuByPart(
  inspector: Inspector,
  work: () => Promise<void>,
): Promise<Record<ServicePart, number>> {
  await inspector.send("Debugger.enable");
  await inspector.send("Profiler.enable");
  await inspector.send("Profiler.setSamplingInterval", { interval: EVERY_US });
  await inspector.send("Profiler.start");
  await work();
  const { profile } = await inspector.send<{ profile: Profile }>("Profiler.stop");
  const moduleOf = await modulesOf(inspector, profile);
  await inspector.send("Debugger.disable");
  return sumByPart(profile, moduleOf);
}

const idle = new Set(["(idle)", "(program)", "(root)"]);

function sumByPart(
  { nodes, samples, timeDeltas }: Profile,
  moduleOf: (node: ProfileNode) => string | null,
): Record<ServicePart, number> {
  const partOf = new Map<number, ServicePart | null>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, inherited: ServicePart) => {
    const path = moduleOf(node);
    const part = path === null ? inherited : partOfPath(path);
    partOf.set(node.id, idle.has(node.callFrame.functionName) ? null : part);
    for (const id of node.children ?? []) visit(byId.get(id)!, part);
  };
  if (nodes[0]) visit(nodes[0], "rest");
  const ms = { scoring: 0, endpoint: 0, d1: 0, r2: 0, rest: 0 };
  for (const [i, id] of samples.entries()) {
    const part = partOf.get(id);
    const since = timeDeltas[i] ?? 0;
    if (part) ms[part] += (since > MOST_US ? EVERY_US : since) / 1000;
  }
  return ms;
}

const partOfPath = (path: string): ServicePart =>
  (Object.keys(parts) as ServicePart[]).find((part) => parts[part].test(path)) ?? "rest";

/** The bundler writes each module's path above it: from a line, the last such comment tells the module. */
async function modulesOf(
  inspector: Inspector,
  { nodes }: Profile,
): Promise<(node: ProfileNode) => string | null> {
  const scripts = new Set(nodes.map(({ callFrame }) => callFrame.scriptId));
  const modules = new Map<string, (string | null)[]>();
  for (const scriptId of scripts) {
    if (scriptId === "0") continue;
    const { scriptSource } = await inspector.send<{ scriptSource: string }>(
      "Debugger.getScriptSource",
      { scriptId },
    );
    let current: string | null = null;
    const byLine = scriptSource.split("\n").map((line) => {
      current = /^\/\/ (\S+\.(?:ts|tsx|js|mjs|cjs|json))$/.exec(line)?.[1] ?? current;
      return current;
    });
    modules.set(scriptId, byLine);
  }
  return ({ callFrame }) => modules.get(callFrame.scriptId)?.[callFrame.lineNumber] ?? null;
}
