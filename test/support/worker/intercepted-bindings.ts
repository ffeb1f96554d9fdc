/** The part of the platform that a binding represents. */
export type Part = "D1" | "R2" | "Queues";

/** A call of a binding. */
export interface BindingCall {
  part: Part;
  /** Name of the called method, such as `put`. */
  method: string;
  args: readonly unknown[];
  /** Only for D1: the executed statement or batch. */
  statements: readonly PreparedStatement[];
}

/** A statement of D1 with its text. */
interface PreparedStatement {
  sql: string;
  real: D1PreparedStatement;
}

/** Intercepts a call; `proceed` makes it. */
export type Around = <T>(call: BindingCall, proceed: () => Promise<T>) => Promise<T>;

/** Bindings whose calls of databases, buckets and queues all go through `around`. */
export function interceptedBindings<E extends object>(env: E, around: Around): E {
  const entries = Object.entries(env).map(([name, binding]) => [name, wrapped(binding, around)]);
  return Object.fromEntries(entries) as E;
}

function wrapped(binding: unknown, around: Around): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  if ("prepare" in binding) return wrappedD1(binding as D1Database, around);
  if ("sendBatch" in binding) return wrappedMethods(binding, "Queues", queueMethods, around);
  if ("createMultipartUpload" in binding) return wrappedMethods(binding, "R2", r2Methods, around);
  return binding;
}

const queueMethods = ["send", "sendBatch"];
const r2Methods = ["put", "get", "delete", "list", "head"];
const statementMethods = ["run", "all", "first", "raw"];

/** The real statements behind wrapped ones, since a batch accepts only real statements. */
const statementOf = new WeakMap<D1PreparedStatement, PreparedStatement>();

function wrappedD1(d1: D1Database, around: Around): D1Database {
  const batch = (wrappedOnes: D1PreparedStatement[]) => {
    const statements = wrappedOnes.map((one) => statementOf.get(one) ?? { sql: "", real: one });
    const call = { part: "D1", method: "batch", args: [], statements } as const;
    return around(call, () => d1.batch(statements.map(({ real }) => real)));
  };
  const prepare = (sql: string) => wrappedStatement({ sql, real: d1.prepare(sql) }, around);
  return overlaid(d1, { prepare, batch });
}

function wrappedStatement(statement: PreparedStatement, around: Around): D1PreparedStatement {
  const { sql, real } = statement;
  const calls = statementMethods.map((method) => [
    method,
    (...args: unknown[]) =>
      around({ part: "D1", method, args, statements: [statement] }, () =>
        called(real, method, args),
      ),
  ]);
  const bind = (...values: unknown[]) =>
    wrappedStatement({ sql, real: real.bind(...values) }, around);
  const one = overlaid(real, { bind, ...Object.fromEntries(calls) });
  statementOf.set(one, statement);
  return one;
}

function wrappedMethods(
  binding: object,
  part: Part,
  methods: readonly string[],
  around: Around,
): object {
  const calls = methods.map((method) => [
    method,
    (...args: unknown[]) =>
      around({ part, method, args, statements: [] }, () => called(binding, method, args)),
  ]);
  return overlaid(binding, Object.fromEntries(calls));
}

const called = (on: object, method: string, args: readonly unknown[]): Promise<unknown> =>
  (on as Record<string, (...args: readonly unknown[]) => Promise<unknown>>)[method]!(...args);

/** An object with some methods replaced; the others are called on the real object. */
function overlaid<T extends object>(real: T, replaced: Record<string, unknown>): T {
  return new Proxy(real, {
    get(target, name) {
      if (typeof name === "string" && name in replaced) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
