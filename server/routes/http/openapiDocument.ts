import { z } from "zod";
import type { Call } from "../../../shared/api/protocol/call";
import { ERROR_CODES } from "../../../shared/api/protocol/errorCode";
import type { Env } from "../../base/env";
import { version } from "../../base/version";
import { cookieName } from "../../features/access/identity";

type Schema = z.core.JSONSchema.BaseSchema;
type Components = Record<string, unknown>;

/** Returns the declared calls as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). */
export function openapiDocument(groups: Record<string, Call[]>, env: Pick<Env, "NAME" | "BASE_PATH">) {
  const schemas: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [group, calls] of Object.entries(groups))
    for (const call of calls)
      paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operation(group, call, schemas) };
  return {
    openapi: "3.1.0",
    info: { title: env.NAME, version: version().number, description: ABOUT },
    servers: [{ url: `${env.BASE_PATH}api` }],
    tags: Object.keys(groups).map((name) => ({ name })),
    security: [{ session: [] }, { basic: [] }, { token: [] }],
    paths,
    components: {
      schemas: { ...schemas, Error: ERROR },
      responses: Object.fromEntries(Object.entries(ERRORS).map(([name, text]) => [name, errorResponse(text)])),
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: cookieName(env) },
        basic: { type: "http", scheme: "basic" },
        token: { type: "http", scheme: "bearer", description: "A personal API token, created on the user page." },
      },
    },
  };
}

const ABOUT = "Paths that end in a slash also work without it. Unknown keys and parameters are ignored.";

const ERROR = {
  type: "object",
  required: ["message"],
  properties: {
    message: { type: "string", description: "Message for the user." },
    errors: { type: "object", description: "Reason by field.", additionalProperties: { type: "string" } },
    code: { type: "string", enum: [...ERROR_CODES], description: "Kind of error, if clients need to react to it." },
    facts: {
      type: "object",
      description: "Numbers that go with the code.",
      additionalProperties: { type: "number" },
    },
  },
};

/** Descriptions of the error responses by their names in the document. */
const ERRORS = {
  Invalid: "The input is not valid; `errors` has the reason for each field.",
  NotLoggedIn: "No user is logged in, or the password or token is wrong.",
  Forbidden: "The user is not allowed to do this, or a page of another site sent the request.",
  Absent: "It does not exist, or the user may not see it.",
  Conflict: "The current state does not allow it.",
  Changed: "`If-Match` names an older revision; `facts.revision` is the current one. Nothing was changed.",
  TooLarge: "The body is larger than allowed.",
  WrongType: "The body's content type is not accepted.",
  Other:
    "Any other error: 429 for too many calls, 503 if the database, the disk or a service is not available (see Retry-After).",
};
type ErrorName = keyof typeof ERRORS;

const errorResponse = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

function errorsOf(call: Call): Record<string, { $ref: string }> {
  const sendsBody = call.body !== undefined || call.upload !== undefined;
  const mayChange = call.changes || call.method !== "GET";
  const known: [number | "default", ErrorName, boolean][] = [
    [400, "Invalid", sendsBody || call.query !== undefined],
    [401, "NotLoggedIn", call.access !== "public"],
    [403, "Forbidden", mayChange || call.access === "admin" || call.params !== undefined],
    [404, "Absent", call.params !== undefined || namesOthers(call)],
    [409, "Conflict", mayChange],
    [412, "Changed", takesRevision(call)],
    [413, "TooLarge", sendsBody],
    [415, "WrongType", sendsBody && !call.raw],
    ["default", "Other", true],
  ];
  const possible = known.filter(([, , isPossible]) => isPossible);
  return Object.fromEntries(possible.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]));
}

const takesRevision = ({ revisioned, method }: Call): boolean =>
  Boolean(revisioned) && (method === "PUT" || method === "DELETE");
const showsRevision = ({ revisioned, method }: Call): boolean => Boolean(revisioned) && method !== "DELETE";

const IF_MATCH = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    'The revision that the change is based on, in quotes (`"3"`). Without it, the change applies to the newest revision.',
  schema: { type: "string" },
};
const ETag = { description: 'The revision, in quotes (`"3"`).', schema: { type: "string" } };

/** Returns true if the query or the body has the id of an object, which may not exist. */
function namesOthers({ query, body }: Call): boolean {
  const names = [query, body].flatMap((schema) => (schema ? Object.keys(inputOf(schema).properties ?? {}) : []));
  return names.some((name) => /^(id|image|\w+_id)$/.test(name));
}

const inputOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

function operation(group: string, call: Call, schemas: Components) {
  const id = `${call.method.toLowerCase()}${call.path.replaceAll(/[^A-Za-z]+(.|$)/g, (_, next) => next.toUpperCase())}`;
  const jsonOf = (schema: z.ZodType, io: "input" | "output") => jsonSchema(schema, io, `${id}_${io}`, schemas);
  const schemaOf = (schema: z.ZodType) => plainInputs(jsonOf(schema, "input"), jsonOf(schema, "output"));
  const parameters = [
    ...(call.params ? parametersOf("path", schemaOf(call.params)) : []),
    ...(call.query ? parametersOf("query", schemaOf(call.query)) : []),
    ...(takesRevision(call) ? [IF_MATCH] : []),
  ];
  return {
    operationId: id,
    tags: [group],
    summary: call.summary,
    ...(call.access === "admin" && { description: "For admins." }),
    ...(call.access === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(call, call.body && (call.upload ? schemaOf(call.body) : jsonOf(call.body, "input"))),
    responses: {
      200: call.output
        ? {
            description: "OK",
            ...(showsRevision(call) && { headers: { ETag } }),
            content: { "application/json": { schema: jsonOf(call.output, "output") } },
          }
        : { description: "A file", content: { "*/*": {} } },
      ...errorsOf(call),
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

/**
 * Describes inputs that arrive as text by their meaning: a number, a boolean, a list of numbers. The declaration
 * accepts such a value or its text; bounds and default are those of the parsed value.
 */
function plainInputs(input: Schema, output: Schema): Schema {
  const properties = Object.entries(input.properties ?? {}).map(([name, schema]) => [
    name,
    plain(schema as Schema, output.properties?.[name]),
  ]);
  return { ...input, properties: Object.fromEntries(properties) };
}

function plain(input: Schema, output: unknown): Schema {
  const value = input.anyOf?.find((each): each is Schema => typeof each === "object" && each.type !== "string");
  if (!value) return input;
  if (value.type === "array") return isOfNumbers(value) ? { ...value, items: { type: "integer", minimum: 0 } } : input;
  if (value.type !== "integer") return { type: value.type };
  const { minimum = 0, maximum, default: missing } = (output ?? {}) as Schema;
  return {
    type: "integer",
    minimum: Math.max(0, minimum),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(missing !== undefined && { default: missing }),
  };
}

const isOfNumbers = ({ items }: Schema): boolean =>
  typeof items === "object" && "type" in items && items.type === "integer";

function requestBody({ upload }: Call, body: Schema | undefined) {
  if (!upload) return body && bodyOf("application/json", body, (body.required ?? []).length > 0);
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const field = upload.many ? { type: "array", items: file } : file;
  const required = [...(body?.required ?? []), upload.field];
  const properties = { ...body?.properties, [upload.field]: field };
  return bodyOf("multipart/form-data", { type: "object", properties, required }, true);
}

const bodyOf = (type: string, schema: object, required: boolean) => ({
  requestBody: { required, content: { [type]: { schema } } },
});

/**
 * Converts a zod schema. Moves its `$defs`, which zod creates for reused parts, to the document's schemas under unique
 * names.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", prefix: string, schemas: Components): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const placed = JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}_`));
  const { $defs = {}, ...rest } = placed as Schema & { $defs?: Components };
  for (const [name, definition] of Object.entries($defs)) schemas[`${prefix}_${name}`] = definition;
  return rest;
}
