import { log } from "../base/log";
import { setTraces } from "../base/traces";

const SETTINGS = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER"];

/**
 * Starts to send traces if one of OpenTelemetry's environment variables names a receiver. Its packages are loaded only
 * then; without them, a warning says what to install.
 */
export async function openTracesIfOn(env: NodeJS.ProcessEnv): Promise<void> {
  const isOff = env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none";
  if (isOff || !SETTINGS.some((name) => env[name])) return;
  try {
    const { openTraces } = await import("./openTraces");
    setTraces(openTraces());
  } catch (error) {
    log.warn(
      { err: error },
      "traces are off: their packages are missing (npm install --no-save @opentelemetry/api @opentelemetry/sdk-node)",
    );
  }
}
