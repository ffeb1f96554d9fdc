import type { Caution } from "#shared/contracts/suite.ts";
import type { Verdict } from "#shared/measures/comparison/words/verdict.ts";
import { paths } from "../data/paths.ts";
import { SiteLink } from "./SiteLink.tsx";
import { onSite, type ReportPlace } from "./shown-run.ts";

interface Props {
  suite: { id: string; label: string; caution?: Caution | null | undefined };
  /** Where the report is shown; default: a page of the site. */
  place?: Pick<ReportPlace, "siteOrigin">;
  /** Whether the line names its suite, because the page shows several. */
  isNamed?: boolean;
}

/** The caution for readers of a suite's headline; nothing if the suite has none. */
export const CautionLine = ({
  suite: { id, label, caution },
  place = onSite,
  isNamed = false,
}: Props) =>
  caution ? (
    <p class="small soft" data-caution={id}>
      {isNamed && `${label}: `}
      {caution.text}{" "}
      <SiteLink place={place} path={`${paths.suite(id)}#${caution.anchor}`}>
        What this means
      </SiteLink>
    </p>
  ) : null;

/** The result of tests in a sentence; nothing without a verdict. */
export const VerdictLine = ({ verdict }: { verdict: Verdict | null }) =>
  verdict === null ? null : (
    <p class="verdict prose">
      <strong>{verdict.lead}</strong> {verdict.rest.join(" ")}
    </p>
  );
