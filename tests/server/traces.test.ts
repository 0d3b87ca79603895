import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { eventually } from "../support/eventually";
import { type LiveServer, startLiveServer } from "../support/liveServer";

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

const toEnd: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

test("sends a span for each request, for its statements and for tasks, with the caller's trace", async () => {
  const { spans, url } = await startReceiver();
  const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...SOON });
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const cookie = await register(server);
  const headers = { "Content-Type": "application/json", Cookie: cookie, "X-Requested-With": "test" };
  const created = await fetch(`${server.url}api/dataset/`, {
    method: "POST",
    headers: { ...headers, traceparent },
    body: JSON.stringify({ name: "secret name" }),
  });
  const { id } = (await created.json()) as { id: number };
  const scan = await fetch(`${server.url}api/dataset/${id}/scan`, { headers });
  expect(scan.status).toBe(200);
  await eventually(() =>
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["task scan", "POST /api/dataset/"])),
  );

  const request = spans.find(({ name }) => name === "POST /api/dataset/")!;
  expect(request).toMatchObject({ traceId: trace, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  expect(valuesOf(request)).toMatchObject({ "http.route": "/api/dataset/", "http.response.status_code": 200 });
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(statements.map(({ name }) => name)).toContain("INSERT");
  expect(valuesOf(statements[0]!)).toMatchObject({ "db.system.name": "postgresql" });
  expect(JSON.stringify(spans)).not.toContain("secret name");

  await fetch(`${server.url}api/dataset/${id}/data?page=1`, { headers });
  await server.stop();
  expect(spans.map(({ name }) => name)).toContain("GET /api/dataset/{id}/data");
});

test("a receiver that is absent stops neither requests nor the end of the process", async () => {
  const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", ...SOON });
  await register(server);
  expect(await server.stop()).toBe(0);
});

test("a warning says what to install if the packages are missing", async () => {
  const server = await start({ OTEL_TRACES_EXPORTER: "otlp", NODE_OPTIONS: `--import ${withoutPackages()}` });
  await register(server);
  expect(server.output()).toContain("npm install --no-save @opentelemetry/api @opentelemetry/sdk-node");
});

/** Settings that send spans soon, as JSON. */
const SOON = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_BSP_SCHEDULE_DELAY: "100" };

async function start(env: Record<string, string>): Promise<LiveServer> {
  const server = await startLiveServer(env);
  toEnd.push(() => server.remove());
  return server;
}

/** Creates an account and returns its cookie. */
async function register({ url }: LiveServer): Promise<string> {
  const response = await fetch(`${url}api/user/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: "tracer", password: "tracer-password" }),
  });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

/** Starts a receiver of OTLP in JSON (https://opentelemetry.io/docs/specs/otlp/), and keeps the spans that it gets. */
async function startReceiver(): Promise<{ spans: SentSpan[]; url: string }> {
  const spans: SentSpan[] = [];
  const receiver: Server = createServer(async (request, response) => {
    const body = (await json(request)) as { resourceSpans?: { scopeSpans: { spans: SentSpan[] }[] }[] };
    for (const { scopeSpans } of body.resourceSpans ?? []) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  toEnd.push(() => receiver.close());
  return { spans, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` };
}

const valuesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Returns a module that hides OpenTelemetry's packages from a process, as if they were not installed. */
function withoutPackages(): string {
  const hook = `export async function resolve(name, context, next) {
    if (name.startsWith("@opentelemetry/sdk-node")) throw new Error("Cannot find package");
    return next(name, context);
  }`;
  const main = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hook)}");`;
  return `data:text/javascript,${encodeURIComponent(main)}`;
}
