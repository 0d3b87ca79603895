import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const MANTINE = join(ROOT, "node_modules/@mantine");
const CORE = join(MANTINE, "core");

/** Returns all script files below a folder. */
const scripts = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|mjs)$/.test(file))
    .map((file) => join(folder, file));

/** Returns the names that scripts import from Mantine's core at run time. */
function namesFromCore(files: readonly string[]): Set<string> {
  const imports = files.flatMap((file) => [
    ...readFileSync(file, "utf8").matchAll(/import \{([^}]*)\} from "@mantine\/core"/g),
  ]);
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim().split(" as ")[0]!));
  return new Set(names.filter((name) => name !== "" && !name.startsWith("type ")));
}

/** Returns the names of the style sheets that components of Mantine's core need, including those of their parts. */
function stylesOf(names: ReadonlySet<string>): Set<string> {
  const index = readFileSync(join(CORE, "esm/index.mjs"), "utf8");
  const styles = new Set<string>();
  const seen = new Set<string>();
  const take = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    if (file.endsWith(".module.mjs")) styles.add(basename(file, ".module.mjs"));
    for (const [, next = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g))
      take(join(dirname(file), next));
  };
  for (const [, list = "", file = ""] of index.matchAll(/import \{([^}]*)\} from "([^"]+)"/g))
    if (list.split(",").some((name) => names.has(name.trim()))) take(join(CORE, "esm", file));
  return styles;
}

const imported = [...readFileSync(join(ROOT, "web/mantine.css"), "utf8").matchAll(/core\/styles\/(.+)\.css/g)].map(
  ([, name = ""]) => name,
);
const BASE = ["default-css-variables", "baseline", "global"];

it("the style sheets of exactly the used components are imported", () => {
  const users = [join(ROOT, "web"), join(MANTINE, "notifications/esm"), join(MANTINE, "dropzone/esm")];
  const names = namesFromCore(users.flatMap(scripts));
  expect(names.size).toBeGreaterThan(40);
  expect([...imported].sort()).toEqual([...stylesOf(names), ...BASE].sort());
});

it("the style sheets are imported in the order of the complete one", () => {
  const whole = readFileSync(join(CORE, "styles.css"), "utf8");
  const place = (name: string) => {
    const [mark = ""] =
      /\.m_\w+|--[\w-]+|\[data-[\w-]+\]/.exec(readFileSync(join(CORE, `styles/${name}.css`), "utf8")) ?? [];
    return mark === "" ? -1 : whole.indexOf(mark);
  };
  const places = imported.map(place);
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});
