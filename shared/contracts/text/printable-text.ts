import { z } from "zod";
import { bounds } from "../bounds.ts";
import { isPrintable } from "./well-formed.ts";

const shown = {
  error:
    "must contain visible characters, and no control, invisible, direction-changing or stacked combining characters",
};

/** Text that boards and pages show next to texts of other users, at most `maxLength` characters. */
export const printableText = (maxLength: number) =>
  z.string().trim().max(maxLength).refine(isPrintable, shown);

/** A model's id. Shown like a name, but also sent to endpoints, so it is never changed. */
export const modelIdSchema = z
  .string()
  .min(1)
  .max(bounds.name)
  .refine((id) => id === "" || isPrintable(id), shown);
