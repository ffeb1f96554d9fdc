import type { DemoModel } from "./demo-models.ts";

/** What a model of a run that is not like others is asked to do at the simulator, and what its card says. */
type OddModel = Pick<DemoModel, "slug" | "name" | "lostRate" | "origin" | "prices">;

const odd = (slug: string, name: string): OddModel => ({
  slug,
  name,
  lostRate: 0,
  origin: "called",
  prices: { inputPerMillion: 0.4, outputPerMillion: 1.6 },
});

/** Models of runs that no board ranks, or that are made otherwise than all others. */
export const oddModels = {
  failed: odd("sumac/sumac-1", "Sumac 1"),
  swept: odd("myrtle/myrtle-1", "Myrtle 1"),
  hybrid: odd("olive/olive-1", "Olive 1"),
};
