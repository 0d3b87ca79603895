import type { Ring, Rings } from "../../entities/shape";
import { unite } from "../boolean";
import { ExactPoints, fromUnits, toUnits } from "../clipping";
import { extent, NEGLIGIBLE } from "../combine";
import { areSimple } from "../isSimple";
import { divideLines } from "../lines/line";
import { pointInside } from "../pointInside";
import { ringsContain } from "../polygons";
import { nearestOnOutline, openRing, ringContains, signedArea, turned } from "../ring";
import { along, meetingPoints, type Segment } from "./crossings";
import { mergeShapes } from "./merge";
import { PlanarGraph } from "./planarGraph";

/** Points on segments, in whole units. */
type Points = Map<Segment, [number, number][]>;

/** Distance in units by which a line that ends inside is extended beyond the outline, to be sure to cross it. */
const BEYOND = 20;

/**
 * Returns the parts into which a line x, y, x, y, … cuts a shape, the largest first; the shape alone if the line does
 * not cut it. Parts are polygons with holes in image pixels. A line that begins or ends inside a polygon is extended
 * straight to the outline, unless it is closed: then it cuts out the area that it surrounds. Polygons that are not cut
 * belong to the nearest part. Existing points keep their exact positions; new ones have three decimals. Slivers between
 * the line and an outline are dropped.
 */
export function splitShape(rings: Rings, line: Ring): Rings[] {
  const { lines, areas } = divideLines(rings);
  const whole = mergeShapes([areas]).flatMap((polygon) => (isClean(polygon) ? [polygon] : unite([polygon], [])));
  const exact = new ExactPoints(whole);
  const uncut: Rings = [...lines];
  const parts: Rings[] = [];
  for (const polygon of whole) {
    const pieces = cutPolygon(polygon, line);
    if (pieces.length < 2) uncut.push(polygon);
    else for (const piece of pieces) parts.push([piece.map((ring) => exact.restore(ring))]);
  }
  if (parts.length === 0) return [rings];
  const homes = uncut.map((polygon) => nearestPart(parts, polygon));
  for (const [i, polygon] of uncut.entries()) homes[i]!.push(polygon);
  return parts.sort((a, b) => extent(b) - extent(a));
}

function isClean(polygon: Ring[]): boolean {
  return areSimple(polygon.map((ring) => openRing(ring.map(toUnits))));
}

/** Returns the pieces of one polygon without self-crossings, in image pixels on the library's grid. */
function cutPolygon(polygon: Ring[], line: Ring): Rings {
  const rings = polygon
    .map((ring, i) => turned(openRing(ring.map(toUnits)), i === 0))
    .filter((ring) => ring.length >= 6);
  const edges = rings.flatMap(segmentsOf);
  const cuts = cutsOf(openLine(line.map(toUnits)), rings, edges);
  const onEdges: Points = new Map();
  const onCuts: Points = new Map();
  for (const [i, cut] of cuts.entries()) {
    for (const edge of edges)
      for (const point of meetingPoints(edge, cut)) {
        addTo(onEdges, edge, point);
        addTo(onCuts, cut, point);
      }
    for (const later of cuts.slice(i + 1))
      for (const point of meetingPoints(cut, later)) {
        addTo(onCuts, cut, point);
        addTo(onCuts, later, point);
      }
  }
  if (cuts.length === 0 || onCuts.size === 0) return [polygon];
  const graph = new PlanarGraph();
  for (const edge of edges) graph.corner(edge[0], edge[1]);
  for (const edge of edges)
    eachPart(along(edge, onEdges.get(edge) ?? []), (a, b) => graph.addEdge(graph.node(...a), graph.node(...b)));
  for (const cut of cuts)
    eachPart(along(cut, onCuts.get(cut) ?? []), (a, b) => {
      const isInside = ringsContain([rings], (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      if (isInside) graph.addCut(graph.node(...a), graph.node(...b));
    });
  const pieces = withHoles(graph.faces()).map((piece) => piece.map((ring) => ring.map(fromUnits)));
  return pieces.filter((piece) => extent([piece]) >= NEGLIGIBLE);
}

/** Returns the segments of a line, each end that lies inside extended to the outline. */
function cutsOf(line: Ring, rings: Ring[], edges: readonly Segment[]): Segment[] {
  const cuts: Segment[] = [];
  for (let i = 0; i + 3 < line.length; i += 2) cuts.push([line[i]!, line[i + 1]!, line[i + 2]!, line[i + 3]!]);
  const [first] = cuts;
  const last = cuts.at(-1);
  const isClosed = first && last && first[0] === last[2] && first[1] === last[3];
  const isInside = (x: number, y: number) => !isClosed && ringsContain([rings], x, y);
  const tails: Segment[] = [];
  if (first && isInside(first[0], first[1])) tails.push(extended([first[2], first[3], first[0], first[1]], edges));
  if (last && isInside(last[2], last[3])) tails.push(extended(last, edges));
  return [...cuts, ...tails];
}

/** Returns the segment from the end of another one, in the same direction, to just beyond the nearest edge. */
function extended([ax, ay, bx, by]: Segment, edges: readonly Segment[]): Segment {
  const length = Math.hypot(bx - ax, by - ay);
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const reach = edges.reduce((most, [x, y]) => Math.max(most, Math.hypot(x - bx, y - by)), 0) + BEYOND;
  const ray: Segment = [bx, by, Math.round(bx + dx * reach), Math.round(by + dy * reach)];
  const distances = edges.flatMap((edge) => meetingPoints(ray, edge).map(([x, y]) => Math.hypot(x - bx, y - by)));
  const to = Math.min(...distances.filter((distance) => distance > 0), reach) + BEYOND;
  return [bx, by, Math.round(bx + dx * to), Math.round(by + dy * to)];
}

/** Returns outer rings with their holes. A hole belongs to the smallest of the larger rings around it. */
function withHoles(faces: readonly Ring[]): Rings {
  const outers = faces.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b));
  const polygons = new Map(outers.map((outer) => [outer, [outer]]));
  for (const hole of faces) {
    const size = -signedArea(hole);
    if (size <= 0) continue;
    const [x, y] = pointInside(hole);
    const around = outers.find((outer) => signedArea(outer) > size && ringContains(outer, x, y));
    if (around) polygons.get(around)!.push(hole);
  }
  return [...polygons.values()];
}

function nearestPart(parts: readonly Rings[], [outer = []]: Ring[]): Rings {
  let best = parts[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    for (let i = 0; i + 1 < outer.length; i += 2) {
      const { distance } = nearestOnOutline(part[0]![0]!, outer[i]!, outer[i + 1]!) ?? { distance: least };
      if (distance >= least) continue;
      least = distance;
      best = part;
    }
  }
  return best;
}

function segmentsOf(ring: Ring): Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) {
    const next = i + 2 < ring.length ? i + 2 : 0;
    segments.push([ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!]);
  }
  return segments;
}

/** Returns a line without points that repeat the previous one. */
function openLine(line: Ring): Ring {
  const out: Ring = [];
  for (let i = 0; i + 1 < line.length; i += 2)
    if (out.length === 0 || out.at(-2) !== line[i] || out.at(-1) !== line[i + 1]) out.push(line[i]!, line[i + 1]!);
  return out;
}

function addTo(map: Points, segment: Segment, point: [number, number]): void {
  const list = map.get(segment);
  if (list) list.push(point);
  else map.set(segment, [point]);
}

function eachPart(
  points: readonly [number, number][],
  visit: (a: [number, number], b: [number, number]) => void,
): void {
  for (let i = 0; i + 1 < points.length; i++) visit(points[i]!, points[i + 1]!);
}
