import { z } from "zod";

/**
 * Schema of the parts of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0, sections 4.8.x) that Limn's document uses,
 * refusing keys unknown to the standard, and of the keywords it uses from JSON Schema 2020-12.
 */
const schemaObject: z.ZodType = z.lazy(() =>
  z.union([
    z.boolean(),
    z.strictObject({
      $ref: z.string().startsWith("#/components/schemas/").optional(),
      type: z.union([jsonType, z.array(jsonType).min(1)]).optional(),
      description: z.string().optional(),
      default: z.json().optional(),
      const: z.json().optional(),
      enum: z.array(z.json()).min(1).optional(),
      anyOf: z.array(schemaObject).min(1).optional(),
      oneOf: z.array(schemaObject).min(1).optional(),
      allOf: z.array(schemaObject).min(1).optional(),
      not: schemaObject.optional(),
      properties: z.record(z.string(), schemaObject).optional(),
      patternProperties: z.record(z.string(), schemaObject).optional(),
      additionalProperties: schemaObject.optional(),
      propertyNames: schemaObject.optional(),
      required: z.array(z.string()).optional(),
      items: schemaObject.optional(),
      prefixItems: z.array(schemaObject).min(1).optional(),
      minItems: count.optional(),
      maxItems: count.optional(),
      uniqueItems: z.boolean().optional(),
      minLength: count.optional(),
      maxLength: count.optional(),
      pattern: z.string().refine(isPattern, "No regular expression").optional(),
      format: z.string().optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      exclusiveMinimum: z.number().optional(),
      exclusiveMaximum: z.number().optional(),
      multipleOf: z.number().positive().optional(),
      contentMediaType: z.string().optional(),
      contentEncoding: z.string().optional(),
    }),
  ]),
);
const jsonType = z.enum(["null", "boolean", "object", "array", "number", "string", "integer"]);
const count = z.number().int().min(0);

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
}

const name = z.string().regex(/^[a-zA-Z0-9._-]+$/);
const content = z.record(z.string().regex(/^[\w*]+\/[\w*.+-]+$/), z.strictObject({ schema: schemaObject.optional() }));
const parameter = z
  .strictObject({
    name: z.string().min(1),
    in: z.enum(["path", "query", "header"]),
    required: z.boolean().optional(),
    description: z.string().optional(),
    schema: schemaObject,
  })
  .refine((each) => each.in !== "path" || each.required === true, "A parameter in the path must be required");
const header = z.strictObject({ description: z.string().optional(), schema: schemaObject });
const response = z.strictObject({
  description: z.string(),
  headers: z.record(name, header).optional(),
  content: content.optional(),
});
const securityRequirement = z.record(name, z.array(z.string()));

const operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string()),
  summary: z.string().min(1),
  description: z.string().optional(),
  security: z.array(securityRequirement).optional(),
  parameters: z
    .array(parameter)
    .refine((list) => new Set(list.map((each) => `${each.in} ${each.name}`)).size === list.length, "Given twice")
    .optional(),
  requestBody: z.strictObject({ required: z.boolean().optional(), content }).optional(),
  responses: z.record(
    z.string().regex(/^([1-5]\d\d|default)$/),
    z.union([response, z.strictObject({ $ref: z.string().startsWith("#/components/responses/") })]),
  ),
});

const method = z.enum(["get", "put", "post", "delete", "patch"]);
const securityScheme = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("apiKey"), in: z.enum(["cookie", "header", "query"]), name: z.string() }),
  z.strictObject({
    type: z.literal("http"),
    scheme: z.enum(["basic", "bearer"]),
    description: z.string().optional(),
  }),
]);

export const openapi31 = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({ title: z.string(), version: z.string().min(1), description: z.string().optional() }),
  servers: z.array(z.strictObject({ url: z.string().startsWith("/") })),
  tags: z.array(z.strictObject({ name: z.string() })),
  security: z.array(securityRequirement),
  paths: z.record(z.string().startsWith("/"), z.partialRecord(method, operation)),
  components: z.strictObject({
    schemas: z.record(name, schemaObject),
    responses: z.record(name, response),
    securitySchemes: z.record(name, securityScheme),
  }),
});
