/** Allowed fields of a log line: ids, numbers and names from the code. Never prompts, answers, keys or addresses. */
type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes one line of JSON. */
export const logLine = (event: string, fields: Fields): void =>
  console.log(JSON.stringify({ event, ...fields }));

/** Writes a line for something that needs attention. */
export const logProblem = (event: string, fields: Fields): void =>
  console.error(JSON.stringify({ event, ...fields }));

/** Writes a line for an error: its kind and where it happened. */
export const logError = (event: string, error: unknown, fields: Fields = {}): void =>
  logProblem(event, { ...fields, ...tracedError(error) });

/** Messages of the platform, which describe the failure and quote no values. */
const SAFE = /^(D1_|Network connection lost|Internal error|put: |get: |Queue |storage )[^"'`\n]*/;
const MAX_MESSAGE = 200;

/**
 * An error for the log. Its message is left out, because messages quote what could not be parsed or stored: answers,
 * keys, parameters of queries. Only messages of the platform itself are kept, up to the first quotation.
 * @example tracedError(new TypeError("no sk-1")).error // "TypeError"
 */
export function tracedError(error: unknown): { error: string; reason?: string; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const reason = SAFE.exec(rootOf(error).message)?.[0].slice(0, MAX_MESSAGE);
  const at = framesOf(error);
  return {
    error: error.name,
    ...(reason !== undefined && { reason }),
    ...(at !== "" && { at }),
  };
}

const rootOf = (error: Error): Error =>
  error.cause instanceof Error ? rootOf(error.cause) : error;

/** The stack without the message, which may have lines that look like frames. */
function framesOf({ stack = "", message }: Error): string {
  const start = message === "" ? 0 : stack.indexOf(message) + message.length;
  return stack
    .slice(start)
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join("\n");
}
