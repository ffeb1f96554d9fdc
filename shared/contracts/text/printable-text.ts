import { z } from "zod";
import { isPrintable } from "./well-formed.ts";

/** Text that boards and pages show next to other users' text, of at most `maxLength` characters. */
export const printableText = (maxLength: number) =>
  z.string().trim().max(maxLength).refine(isPrintable, {
    error:
      "must hold something visible, and no control, invisible, direction-changing or piled-up characters",
  });
