import ts from "typescript";
import { ANNOTATOR_CODES } from "./annotatorCodes";

/** Finds texts that are outside the catalogues, by the syntax tree of a source. */

/** A text that a user could see, with its line. */
export interface OutsideText {
  line: number;
  text: string;
}

/** Attributes and properties whose value is shown or read out. */
const SHOWN =
  /^(label|title|placeholder|description|message|alt|error|confirm|hint|heading|caption|tooltip|empty|aria-(label|description|roledescription|valuetext|placeholder)|\w+(Label|Title|Text|Message|Description|Hint))$/;

/** Attributes and properties whose value is code, whatever it looks like. */
const CODE =
  /^(className|class|style|styles|d|href|src|rel|id|key|type|role|accept|transform|viewBox|points|fontFamily|font|cursor|gridTemplate\w*|transition|animation|boxShadow|will-change|autoComplete|aria-(labelledby|describedby|controls)|Content-Type|pathname|mediaQuery|cacheName)$/;

/** Functions and classes whose texts only programmers see. */
const FOR_PROGRAMMERS = /^(Error|TypeError|RangeError|DOMException|console|performance)$/;

const MACROS = /^(t|msg|plural|select|selectOrdinal|defineMessage)$/;
const MACRO_ELEMENTS = /^(Trans|Plural)$/;
/** Elements around code and keys. */
const CODE_ELEMENTS = /^(Code|code|Kbd|kbd|style|script)$/;

/** Values of `event.key`, names of HTTP and of errors, which look like texts unless they are shown. */
const CODE_NAMES =
  /^(Enter|Escape|Tab|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Space|Shift|Control|Ctrl|Alt|AltGraph|Meta|CapsLock|Arrow(Left|Right|Up|Down)|Digit\d|Key[A-Z]|F\d+|Process|Dead|Unidentified|Authorization|Accept|Content-\w+|Retry-After|Macintosh|Mac|Linux|Windows|\w+Error)$/;

/** Names that are the same in all languages. */
const NAMES =
  /^(Limn|DEXTR|COCO|YOLO|Pascal VOC|ONNX|Openverse|Flickr|GitHub|WebGPU|WebAssembly|RLE|JSON|EXIF|kB|px|ms)$/;

/** Codes of several words: states, kinds and keys of queries. */
const CODES = new Set([
  ...ANNOTATOR_CODES,
  "for review",
  "id, dataset_id, usedAt",
  "images by name",
  "no changes",
  "no image",
  "mantine-active mantine-focus-auto ",
  "not in the dataset",
  "not kept",
  "owner of ",
  "possible members",
  "pending edits",
  "review datasets",
  "review images",
  "review targets",
  "saved here",
  "signed out",
  "was deleted",
  "was restored",
  "Restoring",
  "Unsent",
]);

/** Returns true for a sentence, two words, or a capitalized word. */
const looksLikeText = (text: string): boolean =>
  hasLetters(text) &&
  !CODE_NAMES.test(text.trim()) &&
  !CODES.has(text) &&
  (/^\s*\p{Lu}\p{Ll}+([\s,.:…?!-]|$)/u.test(text) || /\p{Ll}{2,}[,.:;?!]? \p{Ll}{2,}/u.test(text)) &&
  !/^[\w-]+\/[\w.+-]+$|^[[.#:<]|\[[\w-]+[=\]]/.test(text);

/** Returns true for a piece of a template with a word beside a value, such as " images". */
const looksLikePiece = (text: string): boolean =>
  hasLetters(text) &&
  !CODES.has(text) &&
  !/^ ?(UTC|action|annotator-crosshair|dextr|download|handover|journal|limn|limn-copy|last|fruit|renamed|number|push|review|selected|worker)\b/.test(
    text,
  ) &&
  /^ \p{L}{3,}|\p{L}{3,} $/u.test(text);

const looksLikePieceOrText = (text: string): boolean => looksLikePiece(text) || looksLikeText(text);

const hasLetters = (text: string): boolean => /\p{L}{2,}/u.test(text) && !NAMES.test(text.trim());

/** Returns the texts of a source that no macro of Lingui surrounds. */
export function outsideTexts(file: string, code: string): OutsideText[] {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ESNext, true, kind);
  const found: OutsideText[] = [];
  const add = (node: ts.Node, text: string) =>
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: text.trim() });
  visit(source, false);
  return found;

  /** `isShown` is true inside an attribute or property whose value users see. */
  function visit(node: ts.Node, isShown: boolean): void {
    if (isOutOfSight(node)) return;
    if (ts.isJsxText(node)) {
      if (hasLetters(node.text)) add(node, node.text);
      return;
    }
    const text = textOf(node);
    if (text !== undefined && /^\p{Ll}{3,}$/u.test(text) && isWordOfTemplate(node)) add(node, text);
    else if (text !== undefined && (isShown ? hasLetters : isPiece(node) ? looksLikePieceOrText : looksLikeText)(text))
      add(node, text);
    const shown = isNamed(node) ? SHOWN.test(nameOf(node)) : isShown && carriesOn(node);
    ts.forEachChild(node, (child) => {
      if (isNamed(node) && child === node.name) return;
      visit(child, shown || (ts.isJsxExpression(node) && isChild(node)));
    });
  }
}

/** Returns true for expressions that pass one of their parts on as their value. */
const carriesOn = (node: ts.Node): boolean =>
  ts.isJsxExpression(node) ||
  ts.isConditionalExpression(node) ||
  ts.isBinaryExpression(node) ||
  ts.isParenthesizedExpression(node) ||
  ts.isTemplateExpression(node) ||
  ts.isTemplateSpan(node);

/** Returns true for a word that a template inserts by a condition, such as `count === 1 ? "image" : "images"`. */
const isWordOfTemplate = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node.parent) && node.parent.condition !== node && ts.isTemplateSpan(node.parent.parent);

const isPiece = (node: ts.Node): boolean => ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

const isChild = (node: ts.JsxExpression): boolean =>
  !ts.isJsxAttribute(node.parent) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent));

const isNamed = (node: ts.Node): node is ts.JsxAttribute | ts.PropertyAssignment =>
  ts.isJsxAttribute(node) || ts.isPropertyAssignment(node);

const nameOf = ({ name }: ts.JsxAttribute | ts.PropertyAssignment): string =>
  ts.isStringLiteral(name) ? name.text : name.getText();

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return node.text;
  return undefined;
}

/** Returns true for macros, types, code, and what only programmers see. */
function isOutOfSight(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isTaggedTemplateExpression(node)) return MACROS.test(node.tag.getText());
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const name = node.expression.getText();
    return MACROS.test(name) || FOR_PROGRAMMERS.test(name.split(".", 1)[0]!) || name === "import";
  }
  if (ts.isJsxElement(node)) {
    const name = node.openingElement.tagName.getText();
    return MACRO_ELEMENTS.test(name) || CODE_ELEMENTS.test(name);
  }
  if (ts.isJsxSelfClosingElement(node)) return MACRO_ELEMENTS.test(node.tagName.getText());
  if (isNamed(node)) return CODE.test(nameOf(node));
  if (ts.isElementAccessExpression(node) || ts.isCaseClause(node)) return false;
  return isCompared(node);
}

/** Returns true for a literal that is compared with something, which is a code. */
function isCompared(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node)) return false;
  const { parent } = node;
  if (ts.isCaseClause(parent)) return parent.expression === node;
  if (ts.isElementAccessExpression(parent)) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
}
