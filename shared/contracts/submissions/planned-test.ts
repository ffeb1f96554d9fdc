import { z } from "zod";
import { nameSchema } from "../bounds.ts";

/** A hypothesis that is stated before the first answer. */
export const plannedTestSchema = z
  .strictObject({
    metric: nameSchema.meta({ example: "eqs" }),
    margin: z.number().positive().max(1e6).meta({
      description: "largest acceptable loss, in the unit of the metric",
      example: 0.02,
    }),
    against: nameSchema.meta({
      description:
        "a finished run on the same samples, with the same repeats and scoring; model, prompt and settings may differ",
      example: "run_01",
    }),
    samples: z.int().min(1).optional().meta({
      description:
        "n: number of samples of the dataset that are evaluated. Filled in when the submission is accepted; if given, it must be correct",
      example: 500,
    }),
  })
  .meta({
    id: "PlannedTest",
    description:
      "pre-registration: the run is to be no worse than another by a margin. Metric, margin, version of the dataset and number of samples are fixed before the first answer; the report shows them with the verdict and what differs from the plan. Not for answers that already exist",
  });
export type PlannedTest = z.infer<typeof plannedTestSchema>;

const value = z.number();
const count = z.int().nonnegative();

/** The result of a planned test. */
export const plannedResultSchema = z
  .object({
    result: z
      .object({
        base: value.meta({ description: "the metric of the other run, on the compared samples" }),
        tested: value.meta({ description: "the metric of this run" }),
        difference: value.meta({ description: "this run minus the other" }),
        interval: z.tuple([value, value]).nullable().meta({
          description: "95% interval of the difference; null: too few samples",
        }),
        samples: z.int().meta({ description: "compared samples" }),
        verdict: z.enum(["no-worse", "worse", "not-shown", "too-few-samples"]).meta({
          description:
            "as in gates. no-worse: the interval is within the margin on the side that is worse, or no sample fell; worse: that is not shown, and the interval is below 0; not-shown: neither; too-few-samples: less than 95% of the samples are compared",
        }),
      })
      .nullable()
      .meta({ description: "null: not yet, or not possible, as `note` says" }),
    note: z.string().nullable(),
    changes: z.array(z.string()).meta({
      description: "what differs between the runs besides scores: model, prompt, settings, options",
    }),
    tests: z.object({ number: count, of: count }).optional().meta({
      description:
        "number of this test among all tests that the account planned against the other run, with any metric and margin, including those of deleted runs",
    }),
    retries: count.optional().meta({
      description: "how often failed or missing answers or judgments were requested again",
    }),
    parity: z.string().optional().meta({
      description:
        "the parity that compares both runs: its verdict is corrected for all of its runs, this one is not",
    }),
  })
  .meta({
    id: "PlannedResult",
    description:
      "result of the test in `options.plannedTest`; missing in lists, until finished, and without a planned test",
  });
export type PlannedResult = z.infer<typeof plannedResultSchema>;
