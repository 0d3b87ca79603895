import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readEnv } from "../../../server/base/env";
import { ConfigurationError } from "../../../server/base/errors";
import { temporaryFolder } from "../../support/folders";

describe("settings", () => {
  const folder = temporaryFolder();

  it("every setting has a default", () => {
    expect(readEnv({})).toMatchObject({
      PORT: 5000,
      HOST: "127.0.0.1",
      DATA_DIR: resolve("data"),
      DATASETS_DIR: resolve("data/datasets"),
      NAME: "Limn",
      LOGIN_DISABLED: false,
      ALLOW_REGISTRATION: true,
      PASSWORD_MIN: 5,
      BASE_PATH: "/",
      MAX_UPLOAD_MB: 4096,
      HISTORY_DAYS: 365,
      BACKUP_MINUTES: 60,
    });
  });

  it("metrics need a token that cannot be guessed, or are open, not both", () => {
    expect(readEnv({ METRICS_TOKEN: "0123456789abcdef" }).METRICS_TOKEN).toBe("0123456789abcdef");
    for (const METRICS_TOKEN of ["short", "with spaces in between", "x".repeat(201)])
      expect(() => readEnv({ METRICS_TOKEN })).toThrow(
        /^METRICS_TOKEN must have 16 to 200 characters without spaces\.$/,
      );
    expect(() => readEnv({ METRICS_TOKEN: "0123456789abcdef", METRICS_OPEN: "true" })).toThrow(ConfigurationError);
  });

  it("the storage is a bucket's address, and excludes DATASETS_DIR", () => {
    for (const STORAGE of ["s3://limn", "s3://limn.images/one/two-3_4.5/"])
      expect(readEnv({ STORAGE }).STORAGE).toBe(STORAGE);
    for (const STORAGE of [
      "limn",
      "s3://",
      "s3://Upper",
      "s3://limn//a",
      "s3://limn/a b",
      "https://s3.example.org/limn",
    ])
      expect(() => readEnv({ STORAGE }), STORAGE).toThrow(/^STORAGE must be the address of a bucket/);
    expect(() => readEnv({ STORAGE: "s3://limn", DATASETS_DIR: "/images" })).toThrow(ConfigurationError);
  });

  it("settings have the defaults given in the README", () => {
    const rows = readFileSync(new URL("../../../README.md", import.meta.url), "utf8").matchAll(
      /^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.*?) \|/gm,
    );
    const documented = [...rows].flatMap(([, names = "", defaults = ""]) => {
      const values = defaults.split(", ");
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = ""], i): [string, string] => [name, values[i] ?? ""]);
    });
    const env: Record<string, unknown> = readEnv({});
    const plain = documented.filter(([, value]) => /^(\d+|true|false|info|Limn|[\d.]+|\/)$/.test(value));
    expect(plain.length).toBeGreaterThan(12);
    for (const [name, value] of plain) expect(String(env[name]), name).toBe(value);
  });

  it("settings ignore unknown variables and treat empty ones as unset", () => {
    expect(readEnv({ PORT: "", LOGIN_DISABLED: " ", COLOUR: "blue" })).toMatchObject({
      PORT: 5000,
      LOGIN_DISABLED: false,
    });
  });

  it.each([
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ])("settings parse LOGIN_DISABLED=%s", (text, value) => {
    expect(readEnv({ LOGIN_DISABLED: text }).LOGIN_DISABLED).toBe(value);
  });

  it.each([
    ["limn", "/limn/"],
    ["/limn", "/limn/"],
    ["/a//b/", "/a/b/"],
    ["/", "/"],
    ["//", "/"],
  ])("settings normalise BASE_PATH=%s to begin and end with a slash", (text, value) => {
    expect(readEnv({ BASE_PATH: text }).BASE_PATH).toBe(value);
  });

  it("settings parse a list of origins", () => {
    const env = readEnv({ ANNOTATE_ORIGINS: "https://model.example, http://10.0.0.2:8080" });
    expect(env.ANNOTATE_ORIGINS).toEqual(["https://model.example", "http://10.0.0.2:8080"]);
  });

  it.each([
    ["PORT", "80x"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "1e3"],
    ["LOGIN_DISABLED", "yes"],
    ["LOGIN_DISABLED", "TRUE"],
    ["PASSWORD_MIN", "4"],
    ["BASE_PATH", "/a b"],
    ["BASE_PATH", "https://host/a"],
    ["DATABASE_URL", "mysql://host/db"],
    ["DATABASE_URL", "postgres://host:port/db"],
    ["ANNOTATE_ORIGINS", "https://host/path"],
    ["ANNOTATE_ORIGINS", "https://host; script-src *"],
    ["GENERATE_PROVIDER_URL", "file:///etc/passwd"],
    ["HELP_URL", "javascript:alert(1)"],
    ["DEXTR_FILE", "/no/such/file.onnx"],
    ["LOG_LEVEL", "loud"],
    ["MAX_UPLOAD_MB", "0"],
    ["HISTORY_DAYS", "1.5"],
    ["BACKUP_MINUTES", "99999999999999999999"],
    ["TLS_CERT", "/no/such/file.pem"],
  ])("settings refuse %s=%s in one line that names the variable and not the value", (name, value) => {
    const read = () => readEnv({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(new RegExp(`^${name} must [^\\n]+\\.$`));
  });

  it("settings never print a password", () => {
    const read = () => readEnv({ DATABASE_URL: "http://me:secret@host/db" });
    expect(read).toThrow(/^DATABASE_URL must be (?!.*secret)/);
  });

  it("settings require a certificate and its key together", () => {
    const file = join(folder, "cert.pem");
    writeFileSync(file, "");
    expect(() => readEnv({ TLS_CERT: file })).toThrow(/^TLS_CERT and TLS_KEY must/);
    expect(readEnv({ TLS_CERT: file, TLS_KEY: file }).TLS_CERT).toBe(file);
  });
});
