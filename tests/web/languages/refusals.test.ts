import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { compiledMessages, readLanguage, root } from "../../../scripts/languages/catalogue";
import { errorOfResponse, NoResponseError } from "../../../shared/api/protocol/requestError";
import { messageOf } from "../../../web/components/messages/toast";
import { i18n } from "../../../web/languages/i18n";
import { loadServerTexts, serverText } from "../../../web/languages/serverText";
import { failureText } from "../../../web/pages/dataset/images/useBulkReport";

/** Refusals of the server in the language of the page. The server's sources are read for its texts. */

beforeAll(async () => {
  await loadServerTexts();
  i18n.load("de", compiledMessages(readLanguage("de")));
  i18n.activate("de");
});
afterAll(() => i18n.activate("en"));

/** Functions and classes whose argument is a refusal. */
const REFUSING =
  /^(badRequest|Refusal|conflict|forbidden|notFound|unauthorized|tooLarge|tooMany|unavailable|absentAs|HttpError|wrongField|nameTaken|wrong|refused|ImageError|managedDataset|ownedDataset|ownedCategory|changedMatches)$/;

/** Beginnings of refusals that pages never get, or that only operators and authors of scripts understand. */
const NOT_ON_PAGES = [
  ...[
    "This path does not",
    "The server was too slow",
    "This account has",
    "The new owner has",
    "This dataset has been",
  ],
  ...["{} already has a {}", "dataset with this name", "The image has {}"],
  ...["The outline of a mask", "The request has too many", "This id is not", "This category belongs"],
  ...["You have reserved", "Another client sent", "This client belongs", "Lost", "These edits belong"],
  ...[
    "The database cannot store",
    "The database's tables",
    "Invalid dry run",
    "These outlines are",
    "The compoundPath",
  ],
  ...["Too many accounts", "Annotation {} was", "This image is open", "This {} is not", "This {} was restored"],
  ...["You do not have permission to {} this {}", "Invalid delivery", "You do not have permission to see"],
  ...["Invalid webhook", "it is still being written", "its file has changed", "its colours"],
  ...["No folder could", "The file has no name", '"{}"', "A part of", "it has more than", "it is longer than"],
  ...["it is damaged inside", "{} must have", "Metrics", "JSON may", "The body is not"],
  ...["Your earlier requests are still being received", "Send the file", "With login disabled", "This call"],
  ...["The web app", "The call was aborted", "A newer call", "Send as many", "Use GET.", "The file has no such"],
  ...["dataset does not exist", "dataset_id", "This server does not use", "An API token", "The list has changed"],
];

test("the reasons why images were not changed are translated, also behind the image's path", () => {
  const failures = [
    { id: 1, message: "The stage of a: b.png has changed since." },
    { id: 2, message: "a: b.png: Only reviewers may accept and return images, or reopen accepted ones." },
  ];
  expect(failureText(2, failures).split("\n").slice(1)).toEqual([
    "Bild 1: Der Stand von a: b.png hat sich inzwischen geändert.",
    expect.stringMatching(/^Bild 2: a: b\.png: Nur /),
  ]);
});

describe("a refusal of the server", () => {
  const found = [...refusalsOfServer()];
  const all = found.filter((text) => !NOT_ON_PAGES.some((start) => text.startsWith(start)));

  it.each(all)("is translated: %s", (text) => {
    const sent = text.replaceAll("{}", "7");
    expect(serverText(sent)).not.toBe(sent);
  });

  it("is found in the sources, also for each exception", () => {
    expect(all.length).toBeGreaterThan(80);
    for (const start of NOT_ON_PAGES)
      expect(
        found.some((text) => text.startsWith(start)),
        start,
      ).toBe(true);
  });
});

it("keeps the values of a text, and translates a reason", () => {
  expect(serverText("No such user: grace, alan.")).toBe("Diesen Benutzer gibt es nicht: grace, alan.");
  expect(serverText("The file cannot be read as an image: it is damaged.")).toBe(
    "Die Datei kann nicht als Bild gelesen werden: sie ist beschädigt.",
  );
  expect(serverText("Category 'Images' already exists")).toBe("Die Kategorie „Images“ existiert schon");
  expect(serverText("Exporting Images in the format COCO")).toBe("Export von Images im Format COCO");
});

it("leaves an unknown text as it is", () => {
  expect(serverText("The annotate service says no.")).toBe("The annotate service says no.");
});

it("translates what the page itself says about a request", () => {
  const failed = (status: number, body: string) => messageOf(errorOfResponse("User Login", status, body, null));
  expect(failed(502, "<html>")).toBe("Der Server ist im Moment nicht verfügbar.");
  expect(failed(418, "")).toBe("Der Server hat mit Status 418 geantwortet.");
  expect(messageOf(new NoResponseError("Saving", 3, true))).toMatch(
    /^Der Server hat 3 Minuten lang nicht geantwortet\./,
  );
  expect(failed(404, JSON.stringify({ message: "Invalid dataset id" }))).toMatch(
    /^Ungültige Datensatz-ID\. Vielleicht/,
  );
});

/** Returns the texts of all refusals in the server's sources, with "{}" for each value. */
function refusalsOfServer(): Set<string> {
  const names = readdirSync(join(root, "server"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => join(root, "server", name));
  return new Set(files.flatMap((file) => refusalsOf(readFileSync(file, "utf8"))));
}

function refusalsOf(code: string): string[] {
  const source = ts.createSourceFile("server.ts", code, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: string[] = [];
  visit(source, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
  });
  visit(source, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    if (!REFUSING.test(node.expression.getText())) return;
    for (const argument of node.arguments ?? []) found.push(...textsOf(argument, constants));
  });
  return found.filter((text) => text.includes(" ") || text === "Lost");
}

function visit(node: ts.Node, onNode: (node: ts.Node) => void): void {
  onNode(node);
  ts.forEachChild(node, (child) => visit(child, onNode));
}

/** Returns the texts that an expression can have. A constant's texts are those of its initializer. */
function textsOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>, depth = 0): string[] {
  const of = (inner: ts.Expression) => (depth < 4 ? textsOf(inner, constants, depth + 1) : []);
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("")];
  if (ts.isConditionalExpression(node)) return [...of(node.whenTrue), ...of(node.whenFalse)];
  if (ts.isElementAccessExpression(node)) return of(node.expression);
  const constant = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  if (constant) return of(constant);
  if (depth === 0 || !ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) => (ts.isPropertyAssignment(property) ? of(property.initializer) : []));
}
