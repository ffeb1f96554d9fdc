import { z } from "zod";
import { bounds, nameSchema } from "../bounds.ts";

const path = z.string().min(1).max(bounds.fieldName);
const usage = z.strictObject({
  input_tokens: path.optional(),
  output_tokens: path.optional(),
});

/** Values that replace `{{…}}` in a template. */
export const templateValues = [
  "prompt",
  "system",
  "messages",
  "schema",
  "tools",
  "input",
  "sample",
  "id",
  "parameters",
] as const;
export type TemplateValue = (typeof templateValues)[number];

/** An HTTP interface for `assay run --http`: how to write a request, and where to find the answer in the reply. */
export const httpTemplateSchema = z.strictObject({
  url: z
    .string()
    .max(bounds.url)
    .regex(/^https?:\/\/[^\s/?#{}@]+(?:[/?#]\S*)?$/, {
      error:
        "must be an address such as https://pipeline.example.com/answer, without user name and password",
    })
    .meta({ description: "{{input}} and so on in path or query are filled in, URL-encoded" }),
  method: z.enum(["POST", "PUT", "PATCH", "GET"]).optional().meta({ description: "default: POST" }),
  headers: z.record(nameSchema, z.string().max(bounds.message)).optional().meta({
    description: "a variable of the environment is written in braces after a $",
  }),
  body: z
    .unknown()
    .optional()
    .meta({
      description: `JSON in which {{${templateValues.join("}}, {{")}}} are filled in; a text that is only one of them becomes its JSON value. Default: the line that a program gets`,
    }),
  reply: z
    .strictObject({
      text: path.optional(),
      tool_calls: path.optional(),
      usage: usage.optional(),
      error: path.optional(),
    })
    .optional()
    .meta({
      description:
        "paths in the JSON of the reply, such as choices[0].message.content. Default: the reply is what a program answers, or plain text",
    }),
});
export type HttpTemplate = z.infer<typeof httpTemplateSchema>;
