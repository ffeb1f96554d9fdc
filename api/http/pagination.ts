import { z } from "@hono/zod-openapi";
import { base64url, fromBase64url } from "../security/base64url.ts";
import { jsonReply } from "./responses.ts";

/** Maximum and default number of entries on a page. */
const MOST_LISTED = 200;
const USUALLY_LISTED = 50;

/** Far longer than any cursor (two names and a version). */
const MOST_CURSOR_LENGTH = 2_000;

/** A position in a list, as a cursor encodes it. */
type Place = readonly (string | number)[];

/** Query parameters of a list: where to continue (parsed by `place`) and how many entries to return. */
export const pageQuery = <P extends Place>(place: z.ZodType<P>) =>
  z.object({
    cursor: z
      .string()
      .max(MOST_CURSOR_LENGTH)
      .transform((text, context): P => {
        const read = place.safeParse(decoded(text));
        if (read.success) return read.data;
        context.addIssue({ code: "custom", message: "must be a nextCursor of this list" });
        return z.NEVER;
      })
      .optional()
      .openapi({
        type: "string",
        maxLength: MOST_CURSOR_LENGTH,
        description: "`nextCursor` of the previous page; default: the first page",
      }),
    limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(USUALLY_LISTED),
  });

/** The query of lists in newest-first order. */
export const newestFirstQuery = pageQuery(z.tuple([z.int(), z.string().max(100)]));

const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: "`cursor` of the next page; null: this is the last" });

/** A page of entries as a response, for OpenAPI; `name`: the field with the entries. */
export const pageReply = <Name extends string, Entry extends z.ZodType>(
  description: string,
  name: Name,
  entry: Entry,
) => {
  const shape = { [name]: z.array(entry), nextCursor: nextCursorSchema };
  type Shape = Record<Name, z.ZodArray<Entry>> & { nextCursor: typeof nextCursorSchema };
  return jsonReply(description, z.object(shape as Shape));
};

/** One page; the caller reads `limit + 1` entries to detect more. */
export function pageOf<T>(entries: readonly T[], limit: number, placeOf: (last: T) => Place) {
  const items = entries.slice(0, limit);
  const last = items.at(-1);
  const isLast = entries.length <= limit || last === undefined;
  return { items, nextCursor: isLast ? null : encoded(placeOf(last)) };
}

const encoded = (place: Place): string =>
  base64url(new TextEncoder().encode(JSON.stringify(place)));

function decoded(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64url(cursor)));
  } catch {
    return null;
  }
}
