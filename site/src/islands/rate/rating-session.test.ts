import { expect, it } from "vitest";
import type { Rating, RatingTasks } from "#shared/contracts/judging/rating.ts";
import { RatingSession } from "./rating-session.ts";

const metric = (id: string) => ({ id, label: id, task: "", levels: [], notAbout: [] });
const task = (sampleId: string, metrics = ["empathy", "safety"]) => ({
  sampleId,
  answerHash: `hash of ${sampleId}`,
  sections: [],
  metrics,
});

/** A service with some tasks of each run, given out one at a time, that stores what is saved. */
function aService(byRun: Record<string, ReturnType<typeof task>[]>) {
  const saved: (readonly [run: string, ratings: Rating[]])[] = [];
  const doneOf = (run: string) => saved.filter(([its]) => its === run).length;
  const calls = {
    tasks: async (run: string): Promise<RatingTasks> => ({
      metrics: ["empathy", "safety"].map(metric),
      progress: { rated: doneOf(run), total: byRun[run]!.length },
      tasks: structuredClone(byRun[run]!.slice(doneOf(run), doneOf(run) + 1)),
    }),
    save: async (run: string, ratings: Rating[]) => void saved.push([run, ratings]),
  };
  return { calls, saved };
}

it("goes metric by metric, and saves an answer with its last one", async () => {
  const { calls, saved } = aService({ a: [task("x"), task("y")] });
  const session = new RatingSession(["a"], "Ada", calls);
  expect(await session.start()).toMatchObject({
    task: { sampleId: "x" },
    metric: { id: "empathy" },
    place: 1,
    places: 2,
    given: null,
    progress: { rated: 0, total: 2 },
  });
  expect(await session.rate(4)).toMatchObject({ metric: { id: "safety" }, place: 2 });
  expect(saved).toEqual([]);
  expect(await session.rate(1)).toMatchObject({
    task: { sampleId: "y" },
    place: 1,
    progress: { rated: 1, total: 2 },
  });
  const own = { sampleId: "x", answerHash: "hash of x", rater: "Ada" };
  expect(saved).toEqual([
    [
      "a",
      [
        { ...own, metric: "empathy", score: 4 },
        { ...own, metric: "safety", score: 1 },
      ],
    ],
  ]);
  await session.rate(3);
  expect(await session.rate(0)).toBeNull();
});

it("goes back within an answer, to the score that was given", async () => {
  const { calls, saved } = aService({ a: [task("x")] });
  const session = new RatingSession(["a"], "Ada", calls);
  await session.start();
  expect(session.back()).toMatchObject({ place: 1 });
  await session.rate(4);
  expect(session.back()).toMatchObject({ metric: { id: "empathy" }, given: 4 });
  await session.rate(2);
  await session.rate(1);
  expect(saved[0]?.[1].map(({ score }) => score)).toEqual([2, 1]);
});

it("takes the runs in turn, and asks only for what is left of an answer", async () => {
  const { calls, saved } = aService({
    a: [task("x", ["safety"]), task("y", ["safety"])],
    b: [task("x", ["safety"]), task("y", ["safety"])],
  });
  const session = new RatingSession(["a", "b"], "Ada", calls);
  let shown = await session.start();
  expect(shown?.progress).toEqual({ rated: 0, total: 4 });
  while (shown !== null) shown = await session.rate(1);
  expect(saved.map(([run]) => run)).toEqual(["a", "b", "a", "b"]);
});

it("keeps an answer whose saving failed", async () => {
  const { calls, saved } = aService({ a: [task("x", ["safety"])] });
  let isAway = true;
  const save: typeof calls.save = async (...args) => {
    if (isAway) throw new Error("away");
    return calls.save(...args);
  };
  const session = new RatingSession(["a"], "Ada", { ...calls, save });
  await session.start();
  await expect(session.rate(1)).rejects.toThrow("away");
  isAway = false;
  expect(await session.rate(1)).toBeNull();
  expect(saved).toHaveLength(1);
});
