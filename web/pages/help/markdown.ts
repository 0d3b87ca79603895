/**
 * Reads the Markdown that docs/guide.md is written in (https://spec.commonmark.org/0.31.2/, and pipe tables as GitHub has
 * them): headings, paragraphs, pictures on a line of their own, tables, lists of one level, indented and fenced code;
 * inside a line strong text, code and links. Whatever else comes is plain text.
 */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "picture"; alt: string; source: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "code"; text: string };

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong"; text: string }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string; target: string };

const FENCE = /^```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(?:[-*]|\d+\.)\s+/;

export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.replaceAll("\r\n", "\n").split("\n");
  for (let at = 0; at < lines.length; ) {
    const end = endOf(lines, at);
    if (lines[at]?.trim()) blocks.push(blockOf(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

/** The line after the block that begins at line `at`. */
function endOf(lines: readonly string[], at: number): number {
  const first = lines[at] ?? "";
  let end = at + 1;
  if (FENCE.test(first)) {
    while (end < lines.length && !FENCE.test(lines[end] ?? "")) end++;
    return end + 1;
  }
  if (first.trim() === "" || HEADING.test(first)) return end;
  while (end < lines.length && goesOn(lines[end] ?? "")) end++;
  return end;
}

/** A blank line, a heading and a fence end what was before. */
const goesOn = (line: string): boolean => line.trim() !== "" && !FENCE.test(line) && !HEADING.test(line);

function blockOf(lines: string[]): Block {
  const [first = "", second = ""] = lines;
  if (FENCE.test(first)) return { kind: "code", text: lines.filter((line) => !FENCE.test(line)).join("\n") };
  if (first.startsWith("    ")) return { kind: "code", text: lines.map((line) => line.slice(4)).join("\n") };
  const [, marks, title] = HEADING.exec(first) ?? [];
  if (marks && title !== undefined) return { kind: "heading", level: marks.length, text: title };
  const [, alt, source] = (lines.length === 1 && /^!\[([^\]]*)\]\(([^)\s]+)\)$/.exec(first)) || [];
  if (source) return { kind: "picture", alt: alt ?? "", source };
  if (first.includes("|") && /^\|?[\s:|-]*-[\s:|-]*$/.test(second)) return tableOf(lines);
  if (ITEM.test(first)) return { kind: "list", ordered: /^\d/.test(first), items: itemsOf(lines) };
  return { kind: "paragraph", text: joined(lines) };
}

function tableOf([head = "", , ...rows]: string[]): Block {
  return { kind: "table", head: cellsOf(head), rows: rows.map(cellsOf) };
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());

function itemsOf(lines: string[]): string[] {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, "")]);
    else items.at(-1)?.push(line);
  }
  return items.map(joined);
}

const joined = (lines: string[]): string => lines.map((line) => line.trim()).join(" ");

export function readInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g)) {
    const [whole, code, strong, label, target] = match;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else parts.push({ kind: "link", text: label ?? "", target: target ?? "" });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** A heading's name in an address. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
