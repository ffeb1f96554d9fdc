import type { Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "../suggestion.ts";

const plain = (name: string): string => name.toLowerCase().replace(/[_\s-]/g, "");

/** A metric of the suite by its id, in any case and with or without underscores; undefined where there is none. */
export const metricNamed = ({ metrics }: Suite, name: string): Metric | undefined =>
  metrics.find(({ id }) => id === name) ?? metrics.find(({ id }) => plain(id) === plain(name));

/** Says that there is no such metric, with the one that may have been meant. */
export function noMetric(suite: Suite, name: string): string {
  const ids = suite.metrics.map(({ id }) => id);
  const some = [suite.headline, ...suite.boardMetrics].join(", ");
  const near = suggestion(name, ids) || `; there is ${some} and more: see /methodology/`;
  return `${suite.id} has no metric "${name}"${near}`;
}
