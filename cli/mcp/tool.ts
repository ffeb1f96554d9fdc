import type { CallToolResult, McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { cutText } from "#shared/contracts/bounds.ts";
import { BadInput } from "../errors.ts";

/** Maximum characters of a page, about 4,000 tokens: clients truncate or refuse much longer results. */
const PAGE_CHARACTERS = 12_000;
/** A page with its additional last line. */
const MAX_TEXT_CHARACTERS = PAGE_CHARACTERS + 100;
const MAX_ERROR_CHARACTERS = 2_000;

/** A tool: its arguments, and its result as text and as data. */
interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** Whether the tool starts something instead of only reading. */
  isStarting?: boolean;
  /** Throws BadInput that says what to do. */
  work(args: z.output<Input>): Promise<{ text: string; value: z.input<Output> }>;
}

const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const starting: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Registers a tool. The result has only the keys of its schema; errors are results, so that a model can read them. */
export function addTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  { name, title, description, input, output, isStarting = false, work }: Tool<Input, Output>,
): void {
  const call = async (args: unknown): Promise<CallToolResult> => {
    try {
      const { text: whole, value } = await work(args as z.output<Input>);
      const text = cutText(whole, MAX_TEXT_CHARACTERS);
      return { content: [{ type: "text", text }], structuredContent: output.parse(value) };
    } catch (error) {
      return { content: [{ type: "text", text: errorText(error) }], isError: true };
    }
  };
  const inputSchema: z.ZodObject = input;
  const annotations = isStarting ? starting : reading;
  const described = { title, description, annotations, inputSchema, outputSchema: output };
  server.registerTool(name, described, call);
}

function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = error instanceof BadInput ? message : `unexpected error in assay: ${message}`;
  return cutText(text, MAX_ERROR_CHARACTERS);
}

/** Argument of tools whose text may be long. */
export const pageInput = {
  page: z.int().min(1).max(10_000).default(1).meta({ description: "page of the text, from 1" }),
};

/** Which page of the text is returned. */
export const pageOutput = { page: z.int(), pages: z.int() };

/** A page of a text, split at line breaks, with a last line that says how to get the next page. Throws BadInput. */
export function textPage(whole: string, page: number) {
  const pages = pagesOf(whole);
  const text = pages[page - 1];
  if (text === undefined) throw new BadInput(`page must be 1 to ${pages.length}, not ${page}`);
  const next =
    page < pages.length
      ? `\n(page ${page} of ${pages.length}; call again with page: ${page + 1})`
      : "";
  return { text: `${text}${next}`, page, pages: pages.length };
}

function pagesOf(text: string): string[] {
  const pages: string[] = [];
  for (let from = 0; from < text.length || pages.length === 0; ) {
    const to = endOfPage(text, from);
    pages.push(text.slice(from, to));
    from = to;
  }
  return pages;
}

function endOfPage(text: string, from: number): number {
  const end = from + PAGE_CHARACTERS;
  if (end >= text.length) return Math.max(text.length, from + 1);
  const line = text.lastIndexOf("\n", end - 1);
  if (line > from) return line + 1;
  // Do not split a surrogate pair.
  return /^[\ud800-\udbff]$/.test(text.charAt(end - 1)) ? end - 1 : end;
}
