import junit from "junit-report-builder";
import type { Run } from "#shared/contracts/run.ts";
import { printable } from "../printable.ts";
import { failureLines } from "../runs/failure-lines.ts";
import { brokenBy } from "./judged-run.ts";
import { limitText } from "./limit.ts";
import { type Verdict, verdictText } from "./verdict.ts";

/**
 * Runs as JUnit XML: a suite for each run, with a case that it finished and one for each limit. A limit of a
 * run that did not finish, or in which nothing was answered, is skipped, since nothing is known of it.
 */
export function junitText(judged: readonly { run: Run; verdicts: readonly Verdict[] }[]): string {
  const report = junit.newBuilder();
  for (const { run, verdicts } of judged) {
    const name = printable(`${run.model.slug} · ${run.suite} · ${run.dataset.name}`);
    const suite = report.testSuite().name(name);
    if (run.startedAt !== null) suite.timestamp(run.startedAt);
    const className = `assay.${run.suite}`;
    const broken = brokenBy(run);
    const whole = suite.testCase().className(className).name(`${name}: finished`);
    if (broken !== null) {
      const type = run.status === "finished" ? "unanswered" : run.status;
      whole.error(printable(`${run.id} ${broken}${reasonOf(run)}`), type);
    }
    for (const verdict of verdicts) {
      const one = suite
        .testCase()
        .className(className)
        .name(`${name}: ${limitText(verdict.limit)}`);
      if (broken !== null) one.skipped();
      else if (verdict.isMet) one.standardOutput(verdictText(verdict));
      else one.failure(verdictText(verdict), "limit");
    }
  }
  return report.build();
}

function reasonOf(run: Run): string {
  const reason = run.statusReason ?? failureLines(run)[0]?.slice(`${run.id}: `.length);
  return reason === undefined ? "" : `: ${reason}`;
}
