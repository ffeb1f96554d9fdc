import { BadInput } from "../errors.ts";
import { isThisMachine } from "./service-access.ts";

interface Prospects {
  /** Whether the same call may succeed later. */
  isPassing: boolean;
  /** When to call again, if the service states it. */
  retryAfterSeconds: number | null;
  /** Status of the answer; null: no answer, or not from this API. */
  status: number | null;
}

/** The service could not be reached, or refused a request. */
export class ServiceError extends BadInput {
  readonly prospects: Prospects;

  constructor(message: string, prospects: Prospects) {
    super(message);
    this.prospects = prospects;
  }
}

/** The error for a request without an answer; `fetch` threw `error`. */
export function unreachable(origin: string, error: unknown): ServiceError {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  const why = name === "TimeoutError" ? "it took too long" : cause?.code;
  const what = `no service can be reached at ${origin}${why === undefined ? "" : ` (${why})`}`;
  const advice = isThisMachine(new URL(origin).hostname)
    ? "is it running? npm start in a clone of Assay starts one"
    : "check its address, and that this machine is online";
  const prospects = { isPassing: true, retryAfterSeconds: null, status: null };
  return new ServiceError(`${what}: ${advice}`, prospects);
}

/** The error for an answer that is not from this API. */
export function unexpectedReply(origin: string, path: string, how: string): ServiceError {
  const message = `${origin} answers ${path} ${how}: does it run this version?`;
  return new ServiceError(message, { isPassing: false, retryAfterSeconds: null, status: null });
}

/** Seconds until the next attempt, from the header; null without a number. */
export function retryAfterOf({ headers }: Response): number | null {
  const given = headers.get("retry-after") ?? "";
  return /^\d+$/.test(given) ? Number(given) : null;
}
