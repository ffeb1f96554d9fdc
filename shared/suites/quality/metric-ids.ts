/**
 * The five metrics of a response, in the order they are shown.
 * Source: docs/spec/quality.md.
 */
export const partIds = ["coherence", "completeness", "length", "structure", "vocabulary"] as const;

/** What runs are compared by: the headline and the five metrics. */
export const qualityMetricIds = ["overall", ...partIds] as const;
export type QualityMetric = (typeof qualityMetricIds)[number];
