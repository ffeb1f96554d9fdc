import type { Suite } from "#shared/contracts/suite.ts";
import { intervalBasis } from "#shared/measures/report/interval-basis.ts";
import { counted, formatCount } from "../score/format-value.ts";
import type { ComparedFiles } from "./compare-paths.ts";
import { comparisonParts } from "./comparison-parts.ts";
import type { PartedText } from "./text-part.ts";

const wholes =
  "By the figures of whole files, as assay score gives them: a missing answer scores 0 there.";

/** The comparison of files: what was compared, then a table for each question. */
export function filesText(suite: Suite, compared: ComparedFiles): PartedText {
  const { comparison, samples, malformed, warnings, files } = compared;
  const { samples: common, units } = comparison.metrics[0]!;
  const counts = [
    counted(samples, "sample"),
    ...(malformed.count > 0 ? [`${formatCount(malformed.count)} malformed, left out`] : []),
    ...(warnings.count > 0 ? [counted(warnings.count, "warning")] : []),
    `${formatCount(common)} compared in ${files.length} runs`,
  ];
  const basis = intervalBasis(units);
  const left = files.flatMap(({ name, missing, unscored }) => [
    ...(missing > 0 ? [`${formatCount(missing)} without a row in ${name}`] : []),
    ...(unscored > 0 ? [`${formatCount(unscored)} that can't be scored in ${name}`] : []),
  ]);
  const dataset = `dataset ${comparison.dataset.name}`;
  return {
    title: `${suite.label} (${suite.id} ${suite.version}), ${dataset}: ${counts.join(", ")}`,
    about: [
      ...(basis === null ? [] : [basis.text]),
      ...(left.length > 0 ? [`left out: ${left.join(", ")}`] : []),
    ],
    parts: comparisonParts(suite, comparison, wholes),
  };
}
