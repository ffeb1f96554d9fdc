import type { Verdict } from "#shared/measures/comparison/words/verdict.ts";

/** The result of tests in a sentence; nothing without one. */
export const VerdictLine = ({ verdict }: { verdict: Verdict | null }) =>
  verdict === null ? null : (
    <p class="verdict prose">
      <strong>{verdict.lead}</strong> {verdict.rest.join(" ")}
    </p>
  );
