import type { Caution } from "#shared/contracts/suite.ts";
import { paths } from "../data/paths.ts";
import { SiteLink } from "./SiteLink.tsx";
import { onSite, type ReportPlace } from "./shown-run.ts";

interface Props {
  suite: { id: string; label: string; caution?: Caution | null | undefined };
  /** Where it is read; left out: on a page of the site. */
  place?: Pick<ReportPlace, "siteOrigin">;
  /** Whether the page shows several suites, so that the line has to say which it is about. */
  isNamed?: boolean;
}

/** What a reader of any figure of a suite's headline has to know; nothing where the suite has no such limit. */
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
        What that means
      </SiteLink>
    </p>
  ) : null;
