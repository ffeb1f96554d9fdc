import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import { judgingStudyHtml } from "../../report/JudgingStudy.tsx";
import { getJson } from "../api.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { offerForm, say } from "../page-state.ts";

const place = findPart(document, "[data-study]");
const submissions = new URLSearchParams(location.search).get("submissions")?.trim() ?? "";

async function show(): Promise<void> {
  say("Comparing the judgings…");
  try {
    const [study, { suites }] = await Promise.all([
      getJson<JudgingStudy>(`/v1/judgings?submissions=${encodeURIComponent(submissions)}`),
      getJson<{ suites: ListedSuite[] }>("/v1/suites"),
    ]);
    const suite = suites.find(({ id }) => id === study.suite);
    const metric = suite?.metrics.find(({ id }) => id === study.metric);
    place.innerHTML = judgingStudyHtml({
      study,
      metric: metric ?? { label: study.metric, format: "score" },
    });
    say(null);
  } catch (error) {
    say(`The judgings could not be compared: ${(error as Error).message}.`);
    offerForm(submissions);
  }
}

if (submissions === "") offerForm("");
else await show();
