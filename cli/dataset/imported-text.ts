import type { Correction } from "#shared/contracts/correction.ts";
import { counted } from "../score/format-value.ts";
import type { ImportedDataset } from "./import-dataset.ts";

/** What an import came to, for a terminal; `out` is where the samples went. */
export function importedText(imported: ImportedDataset, out: string | null): string {
  const { checked, hub, uploaded } = imported;
  const { suite, samples, malformed, warnings, version } = checked;
  const left = malformed.count === 0 ? "" : `, ${malformed.count} malformed left out`;
  const noted = warnings.count === 0 ? "" : `, ${counted(warnings.count, "warning")}`;
  return [
    `Imported ${counted(samples, "sample")} of suite ${suite}${left}${noted}`,
    ...(hub === null
      ? []
      : [`From ${hub.dataset}, ${hub.config}/${hub.split}, at commit ${hub.revision}`]),
    `Version ${version}`,
    ...(uploaded === null
      ? []
      : [`The service has it as ${uploaded.name}@${uploaded.version.slice(0, 12)}`]),
    ...correctionText(uploaded?.corrects),
    ...whereText(out, uploaded !== null),
  ].join("\n");
}

function correctionText(corrects: Correction | undefined): string[] {
  if (corrects === undefined) return [];
  const { samples, version } = corrects;
  return [
    `It corrects ${counted(samples, "sample")} of version ${version.slice(0, 12)}`,
    "Boards of that version are re-published within minutes; GET /v1/republications says what became of them",
  ];
}

function whereText(out: string | null, isUploaded: boolean): string[] {
  if (out === "-") return ["The samples are on standard output"];
  if (out !== null) return [`The samples are in ${out}`];
  return isUploaded
    ? []
    : ["Nothing was written: --out FILE keeps the samples, --name NAME uploads them"];
}

/** What an import came to, as one JSON object. */
export function importedJson(
  { checked, hub, uploaded }: ImportedDataset,
  out: string | null,
): object {
  const { suite, samples, malformed, warnings, version } = checked;
  return {
    suite,
    samples,
    version,
    source: hub,
    malformed: { count: malformed.count, rows: malformed.kept },
    warnings: { count: warnings.count, rows: warnings.kept },
    out,
    uploaded,
  };
}
