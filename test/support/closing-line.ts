import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with one line per failure, and a line with the counts: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly Thrown[]): void {
    let passed = 0;
    const failed = errors.map((error) => lineOf("outside of any test", [error]));
    for (const module of modules) {
      const name = `${module.project.name} ${module.relativeModuleId}`;
      failed.push(...module.errors().map((error) => lineOf(name, [error])));
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result();
        if (state === "passed") passed += 1;
        if (state === "failed") failed.push(lineOf(`${name} > ${test.fullName}`, errors));
      }
    }
    const counts = `${passed} passed, ${failed.length} failed`;
    // The default reporter prints its summary in the same turn; these lines come after it.
    process.on("exit", () => process.stdout.write(`\n${[...failed, counts].join("\n")}\n`));
  }
}

interface Thrown {
  message?: string;
}

/** One line with the name of the failed test and the first line of each error. */
function lineOf(name: string, errors: readonly Thrown[]): string {
  const why = errors.map(({ message = "no message" }) => message.split("\n")[0]).join("; ");
  return `FAILED ${name}: ${why}`.slice(0, 400);
}
