import type { FieldError, Problem } from "#shared/contracts/problem.ts";

/** Maximum errors of a long list that are shown. */
const mostNamed = 3;

/** A failed call. The message is for readers and can follow a colon. */
export class ApiError extends Error {
  /** HTTP status; null without a reply. */
  readonly status: number | null;
  readonly errors: readonly FieldError[];
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  /** Time to wait before a retry, s; null if unknown. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    more: {
      status: number | null;
      errors?: readonly FieldError[];
      isRetryable?: boolean;
      retryAfterSeconds?: number | null;
    },
  ) {
    super(message);
    this.name = "ApiError";
    this.status = more.status;
    this.errors = more.errors ?? [];
    this.isRetryable = more.isRetryable ?? false;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

/** Whether a retry can't succeed: a deleted or hidden resource stays gone. */
export const isFinal = ({ status }: ApiError): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429;

/** A problem in one sentence: its detail, and the first of its errors. */
export function problemSentence({
  detail,
  errors = [],
}: Pick<Problem, "detail" | "errors">): string {
  const named = [...new Set(errors.map((error) => error.detail))].filter((one) => one !== detail);
  if (named.length === 0) return detail;
  const rest = named.length > mostNamed ? `; and ${named.length - mostNamed} more` : "";
  return `${detail}: ${named.slice(0, mostNamed).join("; ")}${rest}`;
}

/** The error for a refused call, whether or not its body is a problem document. */
export function errorOf(
  status: number,
  body: unknown,
  retryAfterSeconds: number | null = null,
): ApiError {
  if (!isProblem(body)) {
    return new ApiError(`the API answered ${status}`, { status, retryAfterSeconds });
  }
  const { retryable, errors = [] } = body;
  return new ApiError(problemSentence(body), {
    status,
    errors,
    isRetryable: retryable === true,
    retryAfterSeconds,
  });
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === "object" &&
  body !== null &&
  typeof (body as Partial<Problem>).detail === "string";
