import type { Check, Connection } from "#shared/contracts/submissions/connection.ts";
import { formatCount, formatValue } from "../../format/number.ts";

const words: Record<Check["outcome"], string> = {
  ok: "ok",
  no: "no",
  failed: "failed",
  skipped: "–",
};

const CheckRow = ({ check: { label, outcome, ms, detail, hint } }: { check: Check }) => (
  <li>
    <span class={`mark check-${outcome}`}>{words[outcome]}</span>
    <span>
      <strong>{label}</strong>: {detail}
      {ms !== null && <span class="soft"> ({formatValue(ms, "ms")})</span>}
      {hint !== null && <span class="below">→ {hint}</span>}
    </span>
  </li>
);

const Latency = ({ latency }: Pick<Connection, "latency">) => {
  if (latency === null) return null;
  const { n, asked, medianMs, minMs, maxMs, rateLimits } = latency;
  const limits = Object.entries(rateLimits).map(([name, value]) => `${name}: ${value}`);
  return (
    <p class="small">
      Latency of {n === asked ? n : `${n} of ${asked}`} short answers: median{" "}
      {formatValue(medianMs, "ms")}, {formatValue(minMs, "ms")} to {formatValue(maxMs, "ms")}.
      {limits.length > 0 && ` Rate limits: ${limits.join(", ")}.`}
    </p>
  );
};

/** Whether an endpoint can be evaluated, in a sentence; without a test only the models that it lists. */
export function verdictOf({ usable, model, models, checks }: Connection, isTest: boolean): string {
  if (isTest) return `${model} ${usable ? "can" : "cannot"} be evaluated.`;
  if (models.length > 0) {
    const count = `${formatCount(models.length)} ${models.length === 1 ? "model" : "models"}`;
    return `It lists ${count}: choose one in the field “Model at the endpoint”.`;
  }
  const failed = checks.find(({ outcome }) => outcome === "failed");
  return `It lists no models${failed ? `: ${failed.detail}` : ""}.`;
}

/** The result of testing an endpoint. */
export const ConnectionResult = ({
  connection,
  isTest,
}: {
  connection: Connection;
  isTest: boolean;
}) => {
  const failed = connection.checks.filter(({ outcome }) => outcome === "failed");
  const shown = isTest ? connection.checks : failed;
  return (
    <>
      {shown.length > 0 && (
        <ul class="checks">
          {shown.map((check) => (
            <CheckRow check={check} />
          ))}
        </ul>
      )}
      <Latency latency={connection.latency} />
    </>
  );
};
