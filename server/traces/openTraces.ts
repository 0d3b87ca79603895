import { context, type Span as OtelSpan, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { codeOf } from "../base/errors";
import type { Span, Traces } from "../base/traces";
import { version } from "../base/version";

/**
 * Starts OpenTelemetry, which reads its settings from the environment. Limn makes its spans itself: packages that
 * patch others find none to patch in the server's bundled programs.
 */
export function openTraces(): Traces {
  process.env.OTEL_SERVICE_NAME ||= "limn";
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  const tracer = trace.getTracer("limn", version().number);
  return {
    inRequest(headers, name, attributes, work) {
      const caller = propagation.extract(context.active(), headers);
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller);
      return context.with(trace.setSpan(caller, span), () => work(spanOf(span)));
    },
    inSpan: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          spanOf(span).fail(error);
          throw error;
        } finally {
          span.end();
        }
      }),
    addCall(name, attributes, { ms, error }) {
      const end = Date.now();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: end - ms });
      if (error !== undefined) spanOf(span).fail(error);
      span.end(end);
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    close: () => sdk.shutdown(),
  };
}

const spanOf = (span: OtelSpan): Span => ({
  describe(name, attributes) {
    span.updateName(name);
    span.setAttributes(attributes);
  },
  fail(reason) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", typeof reason === "string" ? reason : codeOf(reason) || nameOf(reason));
  },
  end: () => span.end(),
});

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
