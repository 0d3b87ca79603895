import type { Ring } from "../../entities/shape";
import { signedArea } from "../ring";

/**
 * A half-edge: one direction of a segment between two nodes. Edges of a polygon have only the direction with the
 * polygon's inside on the right on screen (y points down); cuts have both directions.
 */
interface HalfEdge {
  from: number;
  to: number;
  /** The opposite direction of a cut; null for an edge of the polygon. */
  twin: HalfEdge | null;
  /** Number of the closed walk that the half-edge belongs to; -1 before it is known. */
  face: number;
}

/**
 * A polygon's edges and the cuts through it, as a graph in whole units. Edges meet only in nodes. Follows the half-edge
 * method of computational geometry: each closed walk that keeps its inside on the right bounds a face.
 */
export class PlanarGraph {
  private readonly xs: number[] = [];
  private readonly ys: number[] = [];
  private readonly byPlace = new Map<string, number>();
  private readonly corners = new Set<number>();
  private readonly known = new Set<string>();
  private edges: HalfEdge[] = [];
  /** Half-edges in the order of the closed walks. */
  private walked: HalfEdge[] = [];
  private leaving = new Map<number, HalfEdge[]>();

  /** Adds a node of the polygon, which stays even if no cut ends there. Returns its number. */
  corner(x: number, y: number): number {
    const node = this.node(x, y);
    this.corners.add(node);
    return node;
  }

  /** Returns the number of the node at a place. */
  node(x: number, y: number): number {
    const key = `${x} ${y}`;
    const known = this.byPlace.get(key);
    if (known !== undefined) return known;
    this.byPlace.set(key, this.xs.length);
    this.xs.push(x);
    this.ys.push(y);
    return this.xs.length - 1;
  }

  addEdge(from: number, to: number): void {
    if (from === to) return;
    this.known.add(`${from} ${to}`);
    this.edges.push({ from, to, twin: null, face: -1 });
  }

  /** Adds a cut in both directions, unless there is an edge or a cut already. */
  addCut(from: number, to: number): void {
    if (from === to || this.known.has(`${from} ${to}`) || this.known.has(`${to} ${from}`)) return;
    this.known.add(`${from} ${to}`);
    const there: HalfEdge = { from, to, twin: null, face: -1 };
    const back: HalfEdge = { from: to, to: from, twin: there, face: -1 };
    there.twin = back;
    this.edges.push(there, back);
  }

  /**
   * Returns the outlines of all faces: rings that run clockwise on screen are outer rings, the others are holes. Cuts
   * that do not separate two faces are left out.
   */
  faces(): Ring[] {
    this.walk();
    const separating = this.edges.filter(({ twin, face }) => twin === null || twin.face !== face);
    if (separating.length < this.edges.length) {
      this.edges = separating;
      this.walk();
    }
    const ends = new Set(this.edges.flatMap(({ twin, from }) => (twin ? [from] : [])));
    // Crossings are rounded, so walks may touch in a node: the node must then stay as a corner.
    for (const [node, { length }] of this.leaving) if (length > 1) ends.add(node);
    const rings = new Map<number, Ring>();
    for (const { from, face } of this.walked) {
      if (!this.corners.has(from) && !ends.has(from)) continue;
      const ring = rings.get(face) ?? [];
      ring.push(this.xs[from]!, this.ys[from]!);
      rings.set(face, ring);
    }
    return [...rings.values()].filter((ring) => ring.length >= 6 && signedArea(ring) !== 0);
  }

  private walk(): void {
    this.leaving = new Map();
    for (const edge of this.edges) {
      edge.face = -1;
      const list = this.leaving.get(edge.from);
      if (list) list.push(edge);
      else this.leaving.set(edge.from, [edge]);
    }
    this.walked = [];
    let face = 0;
    for (const start of this.edges) {
      if (start.face >= 0) continue;
      for (let edge: HalfEdge | undefined = start; edge && edge.face < 0; edge = this.next(edge)) {
        edge.face = face;
        this.walked.push(edge);
      }
      face++;
    }
  }

  /**
   * Returns the half-edge that turns most sharply towards the inside, which is on the right on screen (y points down).
   */
  private next(edge: HalfEdge): HalfEdge | undefined {
    const choices = this.leaving.get(edge.to) ?? [];
    if (choices.length < 2) return choices[0];
    const back = this.angle(edge.to, edge.from);
    let best: HalfEdge | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const choice of choices) {
      const turn = choice === edge.twin ? 2 * Math.PI : positive(back - this.angle(choice.from, choice.to));
      if (turn >= least) continue;
      least = turn;
      best = choice;
    }
    return best;
  }

  private angle(from: number, to: number): number {
    return Math.atan2(this.ys[to]! - this.ys[from]!, this.xs[to]! - this.xs[from]!);
  }
}

/** Returns an equivalent angle above 0 and up to 2π. */
function positive(angle: number): number {
  const full = 2 * Math.PI;
  const rest = angle % full;
  return rest <= 0 ? rest + full : rest;
}
