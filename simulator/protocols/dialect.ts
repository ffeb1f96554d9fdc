import type { ApiError, SentError } from "../api-error.ts";
import type { FinishedCompletion, ResponseFacts } from "../chat-response.ts";

/** An interface of model providers: how its requests are read, and how an answer is written in it. */
export interface Dialect {
  /** The request as one of Chat Completions. `path`: its address. */
  toChat(body: unknown, path: string): unknown;
  /** The body of a reply without streaming. */
  reply(completion: FinishedCompletion, facts: ResponseFacts): string;
  /** The server-sent events of a streamed answer, in order. */
  stream(completion: FinishedCompletion, facts: ResponseFacts): string[];
  /** An error in this interface's format. */
  error(error: ApiError): SentError;
}
