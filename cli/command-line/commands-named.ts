import type { Command } from "./command.ts";

const login = () => import("../commands/login.ts");

/** Modules that have all commands of a first word. Every command at once takes 0.3 s longer to load. */
export const modules: Readonly<Record<string, () => Promise<object>>> = {
  compare: () => import("../commands/compare.ts"),
  export: () => import("../commands/export.ts"),
  init: () => import("../commands/init.ts"),
  judge: () => import("../commands/judge.ts"),
  keys: () => import("../commands/keys.ts"),
  login,
  logout: login,
  mcp: () => import("../commands/mcp.ts"),
  pairs: () => import("../commands/pairs.ts"),
  plan: () => import("../commands/plan.ts"),
  report: () => import("../commands/report.ts"),
  rescore: () => import("../commands/rescore.ts"),
  run: () => import("../commands/run.ts"),
  runner: () => import("../commands/runner.ts"),
  score: () => import("../commands/score.ts"),
  status: () => import("../commands/status.ts"),
  "test-connection": () => import("../commands/test-connection.ts"),
  "validate-config": () => import("../commands/validate-config.ts"),
  verify: () => import("../commands/verify.ts"),
  whoami: login,
};

/** The commands of a first word, loaded alone where that is possible; else every command. */
export async function commandsNamed(first: string): Promise<readonly Command[]> {
  const load = Object.hasOwn(modules, first) ? modules[first] : undefined;
  if (load === undefined) return (await import("./commands.ts")).commands;
  const exported: (Partial<Command> | undefined)[] = Object.values(await load()).flat();
  return exported.filter(
    (one): one is Command => one?.name?.split(" ")[0] === first && "run" in one,
  );
}
