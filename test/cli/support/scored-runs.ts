import type { ScoredRun } from "../../../shared/contracts/boards/scored-run.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { fakeService, problemReply, type Reply } from "./fake-service.ts";
import { estimateFor } from "./run-service.ts";

const suite = suiteById("extraction")!;
const behaviour = { quality: 0.9, lostRate: 0, seed: 3 };

/** A finished run of 72 samples. */
export const aRunOf = (id: string, slug: string, more: Partial<Run> = {}): Run =>
  aFinishedRun(suite, id, aModel(slug, slug.split("/")[1]!), behaviour, more);

/** A run with the EQS of its samples s0, s1, …: 0.5 to 0.9, and 0.3 less for the first `fallen`. */
export function scoredAs(run: Run, fallen = 0): ScoredRun {
  const ids = Array.from({ length: run.dataset.samples }, (_, i) => `s${i}`);
  const of = ids.map((_, i) => 0.5 + (i % 5) / 10 - (i < fallen ? 0.3 : 0));
  const { suiteVersion, dataset, model, provenance, judging, options, scoringVersion } = run;
  const { id, variant, promptHash, headline, finishedAt } = run;
  const facts = {
    id,
    suite: run.suite,
    suiteVersion,
    dataset,
    model,
    variant,
    provenance,
    judging,
    options,
  };
  return {
    run: { ...facts, scoringVersion, promptHash, headline, finishedAt },
    scores: { ids, clusters: null, lacking: [], values: { eqs: { of, over: null } } },
  };
}

/** Stand-in for a service whose new run ends as `tested`; `earlier` are its other runs. */
export const gatedService = (tested: ScoredRun, run: Run, earlier: readonly ScoredRun[] = []) =>
  fakeService(({ call }): Reply => {
    if (call === "POST /v1/submissions?dryRun=true") return { body: estimateFor(run) };
    if (call === "POST /v1/submissions") {
      const links = { self: `/v1/runs/${run.id}`, samples: "x", report: null };
      const runs = [{ id: run.id, model: run.model.slug, variant: null, status: "queued", links }];
      return { status: 202, body: { id: "sub_1", runs } };
    }
    if (call === `GET /v1/runs/${run.id}`) return { body: run };
    const known = [tested, ...earlier].find(
      ({ run: { id } }) => call === `GET /v1/runs/${id}/scores.json`,
    );
    return known ? { body: known } : problemReply(404, `there is no ${call}`);
  });
