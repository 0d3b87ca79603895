import type { Metrics, MetricsSources } from "./metrics";

/** Returns the metrics if a setting turns them on. Their package is loaded only then. */
export async function metricsIfOn(sources: MetricsSources): Promise<Metrics | undefined> {
  const { METRICS_TOKEN, METRICS_OPEN } = sources.env;
  if (!METRICS_TOKEN && !METRICS_OPEN) return undefined;
  const { openMetrics } = await import("./openMetrics");
  return openMetrics(sources);
}
