import { createRequire } from "node:module";
import { join } from "node:path";

/** The used part of a miniflare runtime. */
interface Runtime {
  ready: Promise<URL>;
  dispose(): Promise<void>;
}

/** The used part of miniflare. */
export interface MiniflareModule {
  Miniflare: new (options: unknown) => Runtime;
  convertV4MiniflareOptions(options: unknown): unknown;
  Log: new (level: number) => object;
  Response: typeof Response;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Miniflare, from the folder of the runtime's packages. */
export const loadMiniflare = (packages: string): MiniflareModule =>
  createRequire(join(packages, "package.json"))("miniflare");

/** Starts a runtime without its signal handlers, which would end this process before the rest is stopped. */
export async function openRuntime(
  { Miniflare, convertV4MiniflareOptions }: MiniflareModule,
  options: object,
): Promise<Runtime> {
  const before = new Map(signals.map((name) => [name, process.listeners(name)]));
  const runtime = new Miniflare(convertV4MiniflareOptions(options));
  for (const name of signals) {
    const added = process.listeners(name).filter((one) => !before.get(name)?.includes(one));
    for (const one of added) process.removeListener(name, one);
  }
  await runtime.ready;
  return runtime;
}
