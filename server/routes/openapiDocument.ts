import { z } from "zod";
import type { Call } from "../../shared/api/call";
import type { Env } from "../env";
import { version } from "../version";

type Schema = z.core.JSONSchema.BaseSchema;
type Components = Record<string, unknown>;

/** The declared calls as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
export function openapiDocument(groups: Record<string, Call[]>, env: Pick<Env, "NAME" | "BASE_PATH">) {
  const schemas: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [group, calls] of Object.entries(groups))
    for (const call of calls)
      paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(group, call, schemas) };
  return {
    openapi: "3.1.0",
    info: { title: env.NAME, version: version().number },
    servers: [{ url: `${env.BASE_PATH}api` }],
    tags: Object.keys(groups).map((name) => ({ name })),
    security: [{ session: [] }, { basic: [] }, { token: [] }],
    paths,
    components: {
      schemas: { ...schemas, Error: ERROR },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "limn_session" },
        basic: { type: "http", scheme: "basic" },
        token: { type: "http", scheme: "bearer", description: "A personal API token, made on the user page." },
      },
    },
  };
}

const ERROR = {
  type: "object",
  required: ["message"],
  properties: {
    message: { type: "string", description: "For a person." },
    errors: { type: "object", description: "Reason by field.", additionalProperties: { type: "string" } },
  },
};

function operation(group: string, call: Call, schemas: Components) {
  const id = `${call.method.toLowerCase()}${call.path.replaceAll(/[^A-Za-z]+(.|$)/g, (_, next) => next.toUpperCase())}`;
  const jsonOf = (schema: z.ZodType, io: "input" | "output") => jsonSchema(schema, io, `${id}_${io}`, schemas);
  const parameters = [
    ...(call.params ? parametersOf("path", jsonOf(call.params, "input")) : []),
    ...(call.query ? parametersOf("query", jsonOf(call.query, "input")) : []),
  ];
  return {
    operationId: id,
    tags: [group],
    summary: call.summary,
    ...(call.access === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(call, call.body && jsonOf(call.body, "input")),
    responses: {
      200: call.output
        ? { description: "OK", content: { "application/json": { schema: jsonOf(call.output, "output") } } }
        : { description: "A file" },
      default: {
        description: "An error: 400 invalid, 401 not logged in, 403 forbidden, 404 absent or invisible, 409 conflict.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function parametersOf(place: "path" | "query", schema: Schema) {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || (schema.required ?? []).includes(name),
    schema: property,
  }));
}

function requestBody({ upload }: Call, body: Schema | undefined) {
  if (!upload) return body && { requestBody: { content: { "application/json": { schema: body } } } };
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const field = upload.many ? { type: "array", items: file } : file;
  const required = [...(body?.required ?? []), upload.field];
  const schema = { type: "object", properties: { ...body?.properties, [upload.field]: field }, required };
  return { requestBody: { content: { "multipart/form-data": { schema } } } };
}

/** zod puts what is used twice under the schema's own `$defs`; in one document they need a place and a name. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", prefix: string, schemas: Components): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const placed = JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}_`));
  const { $defs = {}, ...rest } = placed as Schema & { $defs?: Components };
  for (const [name, definition] of Object.entries($defs)) schemas[`${prefix}_${name}`] = definition;
  return rest;
}
