import { applicatorCases } from "./applicator-cases.ts";
import { assertionCases } from "./assertion-cases.ts";
import { draft07Cases } from "./draft-07-cases.ts";
import { draft201909Cases } from "./draft-2019-09-cases.ts";
import { draft202012Cases } from "./draft-2020-12-cases.ts";
import type { KeywordCase } from "./keyword-case.ts";
import { referenceCases } from "./reference-cases.ts";
import { since2019Cases } from "./since-2019-cases.ts";

/** The drafts that samples may name. */
export const drafts = ["draft-07", "2019-09", "2020-12"] as const;

const everyDraft = [assertionCases, applicatorCases, referenceCases];
const tables = {
  "draft-07": [...everyDraft, draft07Cases],
  "2019-09": [...everyDraft, since2019Cases, draft201909Cases],
  "2020-12": [...everyDraft, since2019Cases, draft202012Cases],
} as const;

/** The cases of a draft, each with its topic. */
export function casesOf(draft: (typeof drafts)[number]): [string, KeywordCase][] {
  return tables[draft].flatMap((cases) =>
    Object.entries(cases).flatMap(([topic, list]) =>
      list.map((one): [string, KeywordCase] => [topic, one]),
    ),
  );
}
