import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { RunRecord } from "../../../api/runs/schema.ts";
import { hideRun } from "../../../api/runs/service.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import type { Sweep } from "../../../shared/contracts/submissions/sweep.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { answering, deliver } from "../support/harness.ts";
import { finished, grid, submitted, warmingUp } from "../support/swept.ts";

describe("GET /v1/submissions/{id}/sweep", () => {
  it("tests variants against the leader, names the best and maps the swept options", async () => {
    const { sweep, submission, api, path, platform } = await finished({
      temperature: [0.5, 0.2, 0],
      top_p: [1, 0.9],
    });
    expect(sweep.parameters).toEqual([
      { name: "temperature", values: [0, 0.2, 0.5] },
      { name: "top_p", values: [0.9, 1] },
    ]);
    const [model] = sweep.models;
    expect(model?.variants.map(({ variant }) => Object.values(variant))).toEqual([
      [0, 0.9],
      [0, 1],
      [0.2, 0.9],
      [0.2, 1],
      [0.5, 0.9],
      [0.5, 1],
    ]);
    expect(model?.variants.map(({ metrics }) => metrics?.["passed"]?.value)).toEqual([
      1, 1, 0.8, 0.8, 0.5, 0.5,
    ]);
    const [test] = model?.tests ?? [];
    expect(test).toMatchObject({ metric: "passed", samples: 60, best: null });
    expect([test?.leader, ...(test?.tied ?? [])]).toEqual(
      model?.variants.slice(0, 2).map(({ run }) => run),
    );
    expect(model?.verdict).toBe(
      "No variant can be named best: temperature 0, top_p 0.9 has the highest Passed on 1.000, but is not significantly different from 1 of the other 5: temperature 0, top_p 1.",
    );
    const cell = (value: number) => ({ value, variants: 1, of: 1 });
    expect(model?.maps).toEqual([
      {
        x: "top_p",
        y: "temperature",
        metrics: [
          {
            metric: "passed",
            rows: [1, 0.8, 0.5].map((value) => [cell(value), cell(value)]),
          },
        ],
      },
    ]);
    expect(submission.runs).toHaveLength(6);
    const kept = {
      ...platform,
      objects: { ...platform.objects, putOnce: () => expect.unreachable() },
    };
    const again = await serve(kept as never).get(path);
    expect(await again.text()).toBe(await (await api.get(path)).text());
  });

  it("names the best variant if every other is significantly worse", async () => {
    const { sweep } = await finished({ temperature: [0, 0.5] });
    const [model] = sweep.models;
    expect(model?.tests[0]?.best).toBe(model?.variants[0]?.run);
    expect(model?.verdict).toMatch(
      /^temperature 0 is best: Passed on 1\.000, significantly higher/,
    );
    expect(model?.maps).toMatchObject([{ x: "temperature", y: null }]);
  });

  it("answers 409 with retry-after until the last run has ended", async () => {
    const { api, path, deliverAll } = await submitted(grid, { samples: 3 });
    const response = await api.get(path);
    expect(response.status).toBe(409);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await problemOf(response)).toMatchObject({
      type: expect.stringMatching(/not-ready\/$/),
      detail: expect.stringContaining("4 of the sweep's 4 runs have not ended"),
    });
    await deliverAll();
    expect((await api.get(path)).status).toBe(200);
  });

  it("lists failed, cancelled, uncovered and refused variants, but leaves them out of tests", async () => {
    const lost = { error: { class: "timeout", message: "late" }, output: null } as const;
    const ask: Platform["ask"] = async (target, request, limits, memory) => {
      if (request.temperature === 1) {
        memory.refusedParameters.add("temperature");
        memory.notes.push("the endpoint refuses temperature: requested without it");
      }
      const change = request.temperature === 0.7 ? () => lost : warmingUp;
      return answering(change)(target, request, limits, memory);
    };
    const made = await submitted({ temperature: [0, 0.5, 0.7, 1, 1.5, null] }, { ask });
    const byTemperature = new Map(
      made.submission.runs.map(({ id, variant }) => [variant?.["temperature"] ?? null, id]),
    );
    const { platform, api } = made;
    expect((await api.post(`/v1/runs/${byTemperature.get(1.5)}/cancel`)).status).toBe(200);
    await platform.runs.fail(byTemperature.get(null) ?? "", "the key was refused", platform.now());
    await made.deliverAll();
    const sweep = (await (await api.get(made.path)).json()) as Sweep;
    const [model] = sweep.models;
    expect(
      model?.variants.map(({ variant, leftOut }) => [variant["temperature"], leftOut]),
    ).toEqual([
      [null, "failed: the key was refused"],
      [0, null],
      [0.5, null],
      [0.7, "coverage 0% is below 95%"],
      [1, "the endpoint refuses temperature, so it was asked without"],
      [1.5, "cancelled"],
    ]);
    expect(model?.tests[0]?.variants).toHaveLength(2);
    expect(model?.verdict).toContain("4 of 6 variants are left out.");
    expect(model?.maps[0]?.metrics[0]?.rows).toEqual([
      [null, 1, 0.5, null, null, null].map((value) => ({
        value,
        variants: Number(value !== null),
        of: 1,
      })),
    ]);
  });

  it("gives the reason if nothing can be tested", async () => {
    const { sweep } = await finished({ temperature: [0] }, { samples: 3 });
    expect(sweep.models[0]).toMatchObject({
      tests: [],
      maps: [],
      untested: "only one variant has scores that can be compared",
      verdict: "No variant can be named best: only one variant has scores that can be compared.",
    });
  });

  it("computes large sweeps in the queue, and tests none beyond the plan's limit", async () => {
    const { platform, mail, path, deliverAll } = await submitted({ temperature: [0, 0.5] });
    await deliverAll();
    const of = (total: number): Platform => {
      const grown = (run: RunRecord | null) => run && { ...run, total };
      return {
        ...platform,
        runs: {
          ...platform.runs,
          get: async (id) => grown(await platform.runs.get(id)),
          submission: async (id) => {
            const stored = await platform.runs.submission(id);
            return stored && { ...stored, runs: stored.runs.map((run) => grown(run) as RunRecord) };
          },
        },
      };
    };
    const large = of(4_000);
    const first = await serve(large).get(path);
    expect([first.status, first.headers.get("retry-after")]).toEqual([202, "3"]);
    expect(await first.json()).toEqual({ status: "running" });
    expect(mail.finish).toHaveLength(1);
    for (const message of [...mail.finish, ...mail.finish]) {
      expect(await deliver(large, "finish", message)).toBe("ack");
    }
    const done = await serve(large).get(path);
    expect(await done.text()).toBe(await (await serve(platform).get(path)).text());
    const mostSamples = platform.settings.plan.comparedSamples;
    const huge = (await (await serve(of(mostSamples)).get(path)).json()) as Sweep;
    expect(huge.models[0]).toMatchObject({
      tests: [],
      untested: expect.stringContaining(`at most ${mostSamples} can be tested`),
    });
    expect(huge.models[0]?.maps).toHaveLength(1);
  });

  it("answers 404 for an unknown submission and for one without a sweep", async () => {
    const { platform, api, dataset } = await submitted({ temperature: [0] }, { samples: 2 });
    expect((await api.get("/v1/submissions/sub_none/sweep")).status).toBe(404);
    const plain = await serve(platform).post("/v1/submissions", aSubmission(dataset));
    const { id, links } = (await plain.json()) as Submission;
    expect(links.sweep).toBeNull();
    const response = await api.get(`/v1/submissions/${id}/sweep`);
    expect(response.status).toBe(404);
    expect((await problemOf(response)).detail).toContain("has no sweep");
  });

  it("does not show a hidden variant to strangers", async () => {
    const { platform, api, path, sweep } = await finished(
      { temperature: [0, 0.5] },
      { samples: 4 },
    );
    const hidden = sweep.models[0]?.variants[1]?.run ?? "";
    await hideRun(platform, hidden, "spam");
    const closed = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
    const seen = await (await serve(closed).get(path)).text();
    expect(seen).not.toContain(hidden);
    expect(await (await api.get(path)).text()).toContain(hidden);
  });
});
