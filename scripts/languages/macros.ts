import { dirname, join, relative } from "node:path";
import { type NodePath, type PluginObj, transformAsync, types } from "@babel/core";
import macro from "@lingui/babel-plugin-lingui-macro";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { root } from "./catalogue.ts";

/** Macros of Lingui in the sources: where they are, and what they become. */

/** A text as a source states it. Its id is a hash of the text and its context. */
export interface SourceMessage {
  id: string;
  message: string;
  context?: string;
  comment?: string;
}

/** Matches sources with macros. Only they pass through Babel, since it takes longer than the rest of the build. */
export const WITH_MACROS = /from "@lingui\/(core|react)\/macro"/;

const RUNTIME = join(root, "web", "languages");

/**
 * Replaces macros by calls of `web/languages/i18n.ts` and by elements of `web/languages/Trans.tsx`, with English texts
 * compiled. Calls `onMessage` with each text.
 */
export async function expandMacros(code: string, file: string, onMessage?: (message: SourceMessage) => void) {
  const result = await transformAsync(code, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    parserOpts: { plugins: ["typescript", "jsx"] },
    plugins: [[macro, { linguiConfig: configOf(file), stripMessageField: false }], compiling(onMessage)],
  });
  return { code: result?.code ?? code, map: result?.map ?? null };
}

/** Returns what Lingui would read from a file of settings. */
function configOf(file: string) {
  const from = (name: string) => `./${relative(dirname(file), join(RUNTIME, name)).replaceAll("\\", "/")}`;
  return {
    locales: ["en"],
    macro: { corePackage: ["@lingui/core/macro"], jsxPackage: ["@lingui/react/macro"] },
    runtimeConfigModule: {
      i18n: [from("i18n"), "i18n"],
      Trans: [from("Trans"), "Trans"],
      useLingui: [from("useLanguage"), "useLingui"],
    },
  };
}

/** Compiles texts after the macros are replaced, so that no parser of messages is part of the page. */
const compiling = (onMessage?: (message: SourceMessage) => void) => (): PluginObj => ({
  visitor: {
    Program: {
      exit: (program) => {
        program.traverse({ ObjectExpression: (path) => compileText(path, onMessage) });
      },
    },
  },
});

function compileText(path: NodePath<types.ObjectExpression>, onMessage?: (message: SourceMessage) => void): void {
  if (!path.node.leadingComments?.some(({ value }) => value.trim() === "i18n")) return;
  const found: Record<string, string> = {};
  for (const property of path.node.properties) {
    if (!types.isObjectProperty(property) || !types.isIdentifier(property.key)) continue;
    if (!types.isStringLiteral(property.value)) continue;
    found[property.key.name] = property.value.value;
    if (property.key.name === "message")
      property.value = types.valueToNode(compileMessage(property.value.value)) as types.Expression;
  }
  const { id, message, context, comment } = found;
  if (id && message) onMessage?.({ id, message, context, comment });
}
