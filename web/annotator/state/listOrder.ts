import type { Annotation } from "../../../shared/entities/annotation";
import { compareNaturally } from "../../../shared/text/fold";
import { shapeArea } from "./shapeArea";

/** Orders of the annotations of a category in the list. */
export const LIST_ORDERS = ["oldest", "newest", "largest", "smallest", "author"] as const;

/** One of `LIST_ORDERS`, or `attribute:` and the name of an attribute. */
export type ListOrder = (typeof LIST_ORDERS)[number] | `attribute:${string}`;

const ATTRIBUTE = "attribute:";

export const isListOrder = (value: unknown): value is ListOrder =>
  typeof value === "string" && (LIST_ORDERS.some((order) => order === value) || value.startsWith(ATTRIBUTE));

/** Returns the order by an attribute. */
export const byAttribute = (name: string): ListOrder => `${ATTRIBUTE}${name}`;

/** Returns the name of the attribute of an order; null if the order is not by an attribute. */
const attributeOf = (order: ListOrder): string | null =>
  order.startsWith(ATTRIBUTE) ? order.slice(ATTRIBUTE.length) : null;

type Ordered = Pick<Annotation, "rings" | "area" | "creator" | "attributes">;

/**
 * Returns rows of annotations in an order. Rows that compare equal keep their relative order. `rows`: the oldest first.
 */
export function inListOrder<Row extends { annotation: Ordered }>(rows: readonly Row[], order: ListOrder): Row[] {
  if (order === "oldest") return [...rows];
  if (order === "newest") return rows.toReversed();
  if (order === "largest") return rows.toSorted((a, b) => shapeArea(b.annotation) - shapeArea(a.annotation));
  if (order === "smallest") return rows.toSorted((a, b) => shapeArea(a.annotation) - shapeArea(b.annotation));
  const name = attributeOf(order);
  const textOf = ({ annotation }: Row) => (name === null ? (annotation.creator ?? "") : valueText(annotation, name));
  const keyed = rows.map((row) => ({ row, text: textOf(row) }));
  // Rows without a value come last.
  const compare = (a: string, b: string) => Number(a === "") - Number(b === "") || compareNaturally(a, b);
  return keyed.sort((a, b) => compare(a.text, b.text)).map(({ row }) => row);
}

function valueText({ attributes }: Ordered, name: string): string {
  const value = attributes[name];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
