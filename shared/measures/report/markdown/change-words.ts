import type { AdviceBlock } from "../../../contracts/report.ts";

/** What advice says to change, in words. */
export const changeWords: Readonly<Record<AdviceBlock["items"][number]["change"], string>> = {
  prompt: "Prompt",
  mode: "Output mode",
  parameters: "Parameters",
  model: "Model",
  data: "Data",
  judges: "Judges",
};
