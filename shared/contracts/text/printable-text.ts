import { z } from "zod";
import { bounds } from "../bounds.ts";
import { isPrintable } from "./well-formed.ts";

const shown = {
  error:
    "must contain visible characters, and no control, invisible, direction-changing or stacked combining characters",
};

/** Text that boards and pages show next to other users' text, of at most `maxLength` characters. */
export const printableText = (maxLength: number) =>
  z.string().trim().max(maxLength).refine(isPrintable, shown);

/** The id of a model, shown like a name; unlike one it is sent to endpoints, so that it is taken as it is. */
export const modelIdSchema = z
  .string()
  .min(1)
  .max(bounds.name)
  .refine((id) => id === "" || isPrintable(id), shown);
