import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { haproxyProgram } from "../support/haproxy";

/** Checks of the files in deploy/ for what can be checked without a container, a cluster or systemd. */

const DEPLOY = "deploy";
const read = (...path: string[]): string => readFileSync(join(DEPLOY, ...path), "utf8");

/** Names of Limn's settings, from their declaration. */
const SETTINGS = new Set(
  [...readFileSync("server/base/env.ts", "utf8").matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
);
/** Variables that the deployment files set for other programs. */
const OTHERS = new Set(["NODE_ENV", "TMPDIR", "LIMN_BIND", "LIMN_1", "LIMN_2"]);
const unknown = (names: Iterable<string>) => [...names].filter((name) => !SETTINGS.has(name) && !OTHERS.has(name));

/** Returns the instructions of a Containerfile, with continued lines joined, by stage. */
function stages(text: string): string[][] {
  const lines = text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const result: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("FROM ")) result.push([]);
    result.at(-1)?.push(line);
  }
  return result;
}

describe("Containerfile", () => {
  const all = stages(read("Containerfile"));
  const last = all.at(-1) ?? [];
  const of = (name: string) =>
    last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  test("the last of several stages runs the server as another user than root, with a health check", () => {
    expect(all.length).toBeGreaterThan(1);
    expect(of("USER")).toEqual(["node"]);
    expect(last.findIndex((line) => line.startsWith("USER"))).toBeLessThan(
      last.findIndex((line) => line.startsWith("CMD")),
    );
    const [command = "[]"] = of("CMD");
    expect(JSON.parse(command).at(-1)).toBe("dist/server/main.js");
    expect(of("HEALTHCHECK")[0]).toContain("/api/health/live");
  });

  test("its health check is valid JavaScript", () => {
    const [, list = "[]"] = /CMD (\[.*\])$/.exec(of("HEALTHCHECK")[0] ?? "") ?? [];
    const [program, option, script] = JSON.parse(list);
    expect([program, option]).toEqual(["node", "-e"]);
    expect(() => new Function(script)).not.toThrow();
  });

  test("what it copies from the repository exists, or is built", () => {
    for (const line of all.flat().filter((line) => line.startsWith("COPY ")))
      for (const path of line.split(/\s+/).slice(1, -1)) {
        if (path.startsWith("--from") || path === ".") continue;
        const name = path.replace(/^\/app\//, "");
        expect(existsSync(name) || ["dist", "node_modules"].includes(name), line).toBe(true);
      }
  });

  test("it uses a Node that package.json allows, and sets only settings that exist", () => {
    for (const [from] of all) expect(from).toMatch(/^FROM docker\.io\/library\/node:24-bookworm-slim( AS \w+)?$/);
    const names = of("ENV").flatMap((line) => [...line.matchAll(/(\w+)=/g)].map(([, name = ""]) => name));
    expect(unknown(names)).toEqual([]);
  });

  test("the context has no data, no repository and no packages of this machine", () => {
    const ignored = readFileSync(".containerignore", "utf8").split("\n");
    for (const path of [".git", "node_modules", "data"]) expect(ignored).toContain(path);
  });
});

describe("compose.yaml", () => {
  const { services, volumes } = parse(read("compose.yaml"), { merge: true });
  const limn = ["limn-1", "limn-2", "worker"].map((name) => services[name]);

  test("servers and worker share database and data folder, and cannot write elsewhere", () => {
    for (const service of limn) {
      expect(service.environment.DATABASE_URL).toBe(limn[0].environment.DATABASE_URL);
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], volumes: ["data:/data"], tmpfs: ["/tmp"] });
      expect(unknown(Object.keys(service.environment))).toEqual([]);
    }
    expect(Object.keys(volumes)).toEqual(["data", "database"]);
  });

  test("a server is killed only after the time that it may take to stop", () => {
    for (const service of limn)
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThanOrEqual(
        Number(service.environment.DRAIN_SECONDS) + 40,
      );
  });

  test("the proxy gets the variables of its configuration", () => {
    const used = [...read("haproxy", "haproxy.cfg").matchAll(/\$\{(\w+)(\[\*\])?\}/g)].map(([, name]) => name);
    expect(Object.keys(services.proxy.environment).sort()).toEqual([...new Set(used)].sort());
    const [file] = services.proxy.volumes[0].split(":");
    expect(existsSync(join(DEPLOY, file))).toBe(true);
  });
});

describe("systemd", () => {
  const unit = read("systemd", "limn@.service");

  test("the unit runs the server as a user of its own, and waits long enough when it stops", () => {
    expect(unit).toMatch(/^User=limn$/m);
    expect(unit).toMatch(/^ExecStart=\S+node .*dist\/server\/main\.js$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(45);
    expect(unknown([...unit.matchAll(/\b([A-Z][A-Z_]{3,})=/g)].map(([, name = ""]) => name))).toEqual([]);
  });
});

describe("Helm chart", () => {
  const values = parse(read("helm", "values.yaml"));
  const templates = readdirSync(join(DEPLOY, "helm", "templates")).map((name) => [
    name,
    read("helm", "templates", name),
  ]);

  test("each value that a template uses exists", () => {
    for (const [name, text = ""] of templates)
      for (const [, path = ""] of text.matchAll(/\.Values\.([\w.]+)/g)) {
        const value = path.split(".").reduce((object, key) => object?.[key], values);
        expect(value, `${name}: ${path}`).toBeDefined();
      }
  });

  test("each block is closed, and each named template exists", () => {
    const defined = templates.flatMap(([, text = ""]) =>
      [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name),
    );
    for (const [name, text = ""] of templates) {
      const opened = [...text.matchAll(/\{\{-? *(if|with|range|define) /g)].length;
      expect([...text.matchAll(/\{\{-? *end *-?\}\}/g)].length, name).toBe(opened);
      for (const [, used] of text.matchAll(/include "([^"]+)"/g)) expect(defined).toContain(used);
    }
  });

  test("a pod is killed only after the time that it may take to stop, and sets only settings that exist", () => {
    const seconds = Number(/terminationGracePeriodSeconds: (\d+)/.exec(templates.flat().join("\n"))?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(Number(values.settings.DRAIN_SECONDS) + 40);
    expect(unknown(Object.keys(values.settings))).toEqual([]);
  });

  test("servers are probed with the calls made for it", () => {
    const servers = read("helm", "templates", "servers.yaml");
    expect(servers).toMatch(/livenessProbe:\s+httpGet: \{ path: \/api\/health\/live,/);
    expect(servers).toMatch(/readinessProbe:\s+httpGet: \{ path: \/api\/health\/ready,/);
  });
});

const program = haproxyProgram();
if (!program) console.warn("SKIPPED: HAProxy's configuration is not checked, as haproxy is not installed.");

test.skipIf(!program)("HAProxy accepts its configuration", () => {
  const env = { LIMN_BIND: "127.0.0.1:8080", LIMN_1: "127.0.0.1:5001", LIMN_2: "127.0.0.1:5002" };
  execFileSync(program ?? "", ["-c", "-f", "deploy/haproxy/haproxy.cfg"], { env, stdio: "pipe" });
});
