import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { root } from "../../../scripts/languages/catalogue";
import { expandMacros } from "../../../scripts/languages/macros";

const SOURCE = `
  import { plural, t } from "@lingui/core/macro";
  export const title = (name) => t\`Menu of \${name}\`;
  export const count = (images) => plural(images, { one: "# image", other: "# images" });
`;

it.each(["production", "development"])("keeps English texts in the code, compiled, in %s", async (mode) => {
  vi.stubEnv("NODE_ENV", mode);
  const { code } = await expandMacros(SOURCE, join(root, "web", "pages", "page.ts"));
  expect(code).toContain('from "./../languages/i18n"');
  expect(code).toContain('"Menu of "');
  expect(code).toContain('" images"');
  expect(code).not.toContain("{images, plural");
});
