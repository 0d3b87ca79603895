import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { ConfigurationError } from "./errors";

/**
 * Settings of the process, read from environment variables of the same names. Paths of folders and files are absolute.
 */
export type Env = Readonly<z.output<typeof variables>> & { readonly DATASETS_DIR: string };

const boolean = z
  .enum(["true", "false", "1", "0"], "must be true, false, 1 or 0")
  .transform((text) => text === "true" || text === "1");

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const path = z
  .string()
  .refine((text) => !text.includes("\0"), "must be a path")
  .transform((text) => resolve(text));
const existingFile = path.refine(existsSync, "must name a file that exists");
const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const databaseUrl = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    "must be the address of a PostgreSQL database, like postgres://user:password@host:5432/limn",
  );

const storageAddress = z
  .string()
  .regex(
    /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]{1,100}){0,5}\/?$/,
    "must be the address of a bucket, like s3://bucket or s3://bucket/prefix",
  );

/** Base path, e.g. "/" or "/limn/". It begins and ends with a slash, so that addresses are built by appending. */
const basePath = z
  .string()
  .regex(/^[\w./~-]*$/, "must be a path made of letters, digits, and . _ ~ - /")
  .transform((text) => `/${text.split("/").filter(Boolean).join("/")}/`.replace("//", "/"));

/** Origins to which a dataset's annotate URL may point, as in a content security policy. */
const origins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^https?:\/\/[\w.[\]:*-]+$/,
          "must be origins like https://host:8080, separated by commas, without a path",
        ),
    ),
  );
const LOOPBACK = "http://localhost:*,https://localhost:*,http://127.0.0.1:*,https://127.0.0.1:*";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const variables = z.object({
  PORT: wholeNumber(0, 65_535).prefault("5000"),
  HOST: z.string().prefault("127.0.0.1"),
  DATA_DIR: path.prefault("./data"),
  DATASETS_DIR: path.optional(),
  DATABASE_URL: databaseUrl.optional(),
  /** Bucket of all files, and a prefix of their keys; otherwise they are in DATA_DIR and DATASETS_DIR. */
  STORAGE: storageAddress.optional(),
  S3_ENDPOINT: webAddress.optional(),
  S3_REGION: z.string().optional(),
  S3_PATH_STYLE: boolean.optional(),
  NAME: z.string().max(100, "must have at most 100 characters").prefault("Limn"),
  LOGIN_DISABLED: boolean.prefault("false"),
  ALLOW_REGISTRATION: boolean.prefault("true"),
  PASSWORD_MIN: wholeNumber(5, 100).prefault("5"),
  BASE_PATH: basePath.prefault("/"),
  TRUST_PROXY: boolean.prefault("false"),
  ANNOTATE_ORIGINS: origins.prefault(LOOPBACK),
  GENERATE_PROVIDER_URL: webAddress.optional(),
  DEXTR_FILE: existingFile.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).prefault("info"),
  MAX_UPLOAD_MB: wholeNumber(1, 1_048_576).prefault("4096"),
  /** Seconds between a signal to stop and the end of listening, in which readiness is false; see Readiness. */
  DRAIN_SECONDS: wholeNumber(0, 600).prefault("0"),
  TASK_CONCURRENCY: wholeNumber(0, 64).prefault("2"),
  /** Days for which the edit history is kept; 0 = forever. */
  HISTORY_DAYS: wholeNumber(0, 36_500).prefault("365"),
  /** Minutes between backups of the embedded database; 0 = no backups. */
  BACKUP_MINUTES: wholeNumber(0, 10_080).prefault("60"),
  /** Allows webhooks to addresses in the server's own network. */
  WEBHOOKS_PRIVATE: boolean.prefault("false"),
  HELP_URL: webAddress.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,200}$/, "must have 16 to 200 characters without spaces")
    .optional(),
  METRICS_OPEN: boolean.prefault("false"),
  TLS_CERT: existingFile.optional(),
  TLS_KEY: existingFile.optional(),
});

/**
 * Reads the settings. Unknown variables are ignored, and empty ones count as not set. Throws ConfigurationError with a
 * one-line message.
 */
export function readEnv(env: NodeJS.ProcessEnv): Env {
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const { data, error } = variables.safeParse(set);
  if (error) throw new ConfigurationError(lineFor(error));
  if (!data.TLS_CERT !== !data.TLS_KEY)
    throw new ConfigurationError("TLS_CERT and TLS_KEY must be set together. Set both or neither.");
  if (data.STORAGE && data.DATASETS_DIR)
    throw new ConfigurationError("STORAGE and DATASETS_DIR exclude each other. Set one of them.");
  if (data.METRICS_TOKEN && data.METRICS_OPEN)
    throw new ConfigurationError("METRICS_TOKEN and METRICS_OPEN exclude each other. Set one of them.");
  return { ...data, DATASETS_DIR: data.DATASETS_DIR ?? join(data.DATA_DIR, "datasets") };
}

/** Returns the first problem in one line, without the variable's value, which may be a password. */
function lineFor(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${String(issue?.path[0])} ${issue?.message}.`;
}
