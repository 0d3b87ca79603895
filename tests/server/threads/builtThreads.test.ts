import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

/** The build finds the modules of threads by their text, see `threadsIn` in scripts/buildServer.mjs. */
it("each module that the server starts as a thread is a program of the build", () => {
  const server = resolve("server");
  const modules = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => {
      const path = join(server, name);
      const urls = readFileSync(path, "utf8").matchAll(/new URL\(\s*"([^"]+)",\s*import\.meta\.url/g);
      return [...urls].map(([, url]) => join(dirname(path), url!)).filter((module) => existsSync(`${module}.ts`));
    });
  expect(modules.length).toBeGreaterThan(5);
  const missing = modules.filter((module) => !existsSync(resolve("dist", `${relative(".", module)}.js`)));
  expect(missing).toEqual([]);
});
