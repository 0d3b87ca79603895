import type { Ring, Rings } from "../../entities/shape";
import { unite } from "../boolean";
import { divideLines } from "../lines/line";
import { boundsTouch } from "../polygons";
import { ringBounds } from "../ring";

/**
 * Returns the union of several shapes as polygons with holes in image pixels. Lines, and polygons whose boxes touch no
 * other polygon's box, stay exactly as they are; see `unite` for the others.
 */
export function mergeShapes(shapes: readonly Rings[]): Rings {
  const { lines, areas } = divideLines(shapes.flat());
  const polygons = areas.filter(([outer]) => outer && outer.length >= 6);
  const merged = touchingGroups(polygons).flatMap((group) => (group.length === 1 ? group : unite(group, [])));
  return lines.length === 0 ? merged : [...merged, ...lines];
}

/** Groups polygons whose boxes touch, directly or through others. Groups are in the order of their first polygons. */
function touchingGroups(polygons: Rings): Rings[] {
  const boxes = polygons.map(([outer = []]) => ringBounds(outer));
  const roots = polygons.map((_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (roots[root] !== root) root = roots[root]!;
    roots[i] = root;
    return root;
  };
  const order = polygons.map((_, i) => i).sort((a, b) => boxes[a]![0] - boxes[b]![0]);
  for (const [at, i] of order.entries()) {
    const [x, , width] = boxes[i]!;
    for (let k = at + 1; k < order.length && boxes[order[k]!]![0] <= x + width; k++) {
      const [one, other] = [rootOf(i), rootOf(order[k]!)];
      if (one !== other && boundsTouch(boxes[i]!, boxes[order[k]!]!))
        roots[Math.max(one, other)] = Math.min(one, other);
    }
  }
  const groups = new Map<number, Ring[][]>();
  for (const [i, polygon] of polygons.entries()) {
    const group = groups.get(rootOf(i));
    if (group) group.push(polygon);
    else groups.set(rootOf(i), [polygon]);
  }
  return [...groups.values()];
}
