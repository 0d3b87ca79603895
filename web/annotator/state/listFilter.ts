import type { Annotation } from "../../../shared/entities/annotation";
import type { AttributeDefinition } from "../../../shared/entities/attribute";
import { missingAttributes } from "../../../shared/rules/attributeValues";
import { groupOf } from "../../../shared/rules/stacking";
import { foldText } from "../../../shared/text/fold";
import { shapeArea } from "./shapeArea";

/** Returns true if an annotation passes a condition. */
type Test = (annotation: Annotation, category: Filtered) => boolean;

/** Fields of a category that filters read. */
interface Filtered {
  attributes?: readonly AttributeDefinition[] | undefined;
}

/** A search, divided into conditions on annotations and the other words. */
export interface ParsedSearch {
  tests: readonly Test[];
  /** The text without the conditions, folded. */
  words: string;
}

const CONDITION = /^([^\s:<>"]+|"[^"]*")([:<>])("[^"]*"|\S+)$/u;
const PART = /(?:"[^"]*"|[^\s"])+/gu;

/**
 * Reads conditions such as `author:ann`, `area>500`, `pose:sitting`, `is:occluded` and `is:missing` from a search text.
 * The text before a colon is the name of an attribute, unless it is `author` or `is`; quotes allow spaces in names and
 * values.
 */
export function parseSearch(text: string): ParsedSearch {
  const tests: Test[] = [];
  const words: string[] = [];
  for (const part of foldText(text.trim()).match(PART) ?? []) {
    const [, name, sign, value] = CONDITION.exec(part) ?? [];
    const test = name && sign && value ? testOf(bare(name), sign, bare(value)) : null;
    if (test) tests.push(test);
    else words.push(part);
  }
  return { tests, words: words.join(" ") };
}

const bare = (text: string): string => text.replaceAll('"', "");

/** Returns true if an annotation passes all conditions. */
export const passes = (tests: readonly Test[], annotation: Annotation, category: Filtered): boolean =>
  tests.every((test) => test(annotation, category));

function testOf(name: string, sign: string, value: string): Test | null {
  if (sign !== ":") {
    const limit = Number(value);
    if (!Number.isFinite(limit)) return null;
    const isWithin = (size: number) => (sign === ">" ? size > limit : size < limit);
    if (name === "area") return (annotation) => isWithin(shapeArea(annotation));
    return (annotation) => valuesNamed(annotation, name).some((each) => typeof each === "number" && isWithin(each));
  }
  if (name === "author") return ({ creator }) => foldText(creator ?? "").includes(value);
  if (name === "is" && value === "missing")
    return ({ attributes }, category) => missingAttributes(category.attributes, attributes).length > 0;
  if (name === "is" && value === "grouped") return (annotation) => groupOf(annotation) !== null;
  if (name === "is") return (annotation) => valuesNamed(annotation, value).includes(true);
  return (annotation) => valuesNamed(annotation, name).some((each) => textOf(each).includes(value));
}

const valuesNamed = ({ attributes }: Annotation, name: string): unknown[] =>
  Object.entries(attributes).flatMap(([key, value]) => (foldText(key) === name ? [value] : []));

function textOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes true" : "no false";
  return foldText(typeof value === "string" ? value : JSON.stringify(value));
}
