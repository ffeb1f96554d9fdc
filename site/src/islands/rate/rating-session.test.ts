import { expect, it } from "vitest";
import type { Rating, RatingTasks } from "#shared/contracts/judging/rating.ts";
import { afterScore, nextAnswer, type Shown, shownMetric } from "./rating-session.ts";

const metric = (id: string) => ({ id, label: id, task: "", levels: [], notAbout: [] });
const task = (sampleId: string, metrics = ["empathy", "safety"]) => ({
  sampleId,
  answerHash: `hash of ${sampleId}`,
  sections: [],
  metrics,
});

/** A service that gives out the tasks of each run one at a time and records saved ratings. */
function aService(byRun: Record<string, ReturnType<typeof task>[]>) {
  const saved: (readonly [run: string, ratings: Rating[]])[] = [];
  const doneOf = (run: string) => saved.filter(([savedRun]) => savedRun === run).length;
  const calls = {
    tasks: async (run: string): Promise<RatingTasks> => ({
      metrics: ["empathy", "safety"].map(metric),
      progress: { rated: doneOf(run), total: byRun[run]!.length },
      tasks: byRun[run]!.slice(doneOf(run), doneOf(run) + 1),
    }),
    save: async (run: string, ratings: Rating[]) => void saved.push([run, ratings]),
  };
  return { calls, saved };
}

it("afterScore() goes from metric to metric, and saves an answer after its last one", async () => {
  const { calls, saved } = aService({ a: [task("x")] });
  const first = (await nextAnswer(["a"], calls)) as Shown;
  expect(first).toMatchObject({ run: "a", at: 0, scores: {}, progress: { rated: 0, total: 1 } });
  expect(shownMetric(first).id).toBe("empathy");
  const second = (await afterScore(first, 4, "Ada", calls)) as Shown;
  expect([shownMetric(second).id, second.scores]).toEqual(["safety", { empathy: 4 }]);
  // Back to the first metric, with another score.
  const again = (await afterScore({ ...second, at: 0 }, 2, "Ada", calls)) as Shown;
  expect(saved).toEqual([]);
  expect(await afterScore(again, 1, "Ada", calls)).toBeNull();
  const own = { sampleId: "x", answerHash: "hash of x", rater: "Ada" };
  expect(saved).toEqual([
    [
      "a",
      [
        { ...own, metric: "empathy", score: 2 },
        { ...own, metric: "safety", score: 1 },
      ],
    ],
  ]);
  expect(await nextAnswer(["a"], calls)).toBeNull();
});

it("nextAnswer() alternates between the runs, and counts the answers of all", async () => {
  const { calls, saved } = aService({
    a: [task("x", ["safety"]), task("y", ["safety"])],
    b: [task("x", ["safety"]), task("y", ["safety"])],
  });
  const progress = [];
  for (let shown = await nextAnswer(["a", "b"], calls); shown !== null; ) {
    progress.push(shown.progress.rated);
    await afterScore(shown, 1, "Ada", calls);
    shown = await nextAnswer(["a", "b"], calls);
  }
  expect(saved.map(([run]) => run)).toEqual(["a", "b", "a", "b"]);
  expect(progress).toEqual([0, 1, 2, 3]);
});
