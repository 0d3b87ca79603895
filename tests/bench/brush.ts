import paper from "paper/dist/paper-core";
import type { Ring, Rings } from "../../shared/entities/shape";
import { extent } from "../../shared/geometry/combine";
import { paint, type Stroke, strokeRings } from "../../shared/geometry/stroke";
import type { Figure } from "./figures";
import { inMs, milliseconds, sideBySide } from "./sideBySide";

const VERTICES = 5000;
const POINTS = 200;
const ROUNDS = 15;
const OPTIONS = { operation: "unite", simplify: 1, minArea: 0 } as const;

/**
 * Measures one brush stroke into a large shape, beside paper.js uniting stamp by stamp, and uniting the finished
 * outline.
 */
export async function brush(): Promise<Figure[]> {
  paper.setup(new paper.Size(100, 100));
  const shape = [[unevenShape()]];
  const stroke = { path: windingPath(), radius: 30 };
  const painted = paint(shape, stroke, OPTIONS);
  return [byStamps(shape, stroke, extent(painted)), byOutline(shape, stroke, extent(painted))];
}

function byStamps(shape: Rings, stroke: Stroke, ourArea: number): Figure {
  let united = toPaper(shape);
  const peer = milliseconds(() => {
    for (let i = 0; i < stroke.path.length; i += 2) {
      const center = new paper.Point(stroke.path[i]!, stroke.path[i + 1]!);
      const stamp = new paper.Path.Circle({ center, radius: stroke.radius, insert: false });
      united = united.unite(stamp, { insert: false }) as paper.PathItem;
    }
  });
  const times = Array.from({ length: ROUNDS }, () => milliseconds(() => paint(shape, stroke, OPTIONS)));
  const ours = times.toSorted((a, b) => a - b)[ROUNDS >> 1]!;
  return figure("stamp by stamp", ours, peer, ourArea, areaOf(united), 100);
}

function byOutline(shape: Rings, stroke: Stroke, ourArea: number): Figure {
  const [whole, outline] = [toPaper(shape), toPaper(strokeRings(stroke, OPTIONS.simplify))];
  const ours = () => paint(shape, stroke, OPTIONS);
  const united = whole.unite(outline, { insert: false }) as paper.PathItem;
  const times = sideBySide(ROUNDS, ours, () => whole.unite(outline, { insert: false }));
  return figure("the finished outline at once", times.ours, times.peer, ourArea, areaOf(united), 5);
}

function figure(how: string, ours: number, peer: number, ourArea: number, peerArea: number, goal: number): Figure {
  const ratio = peer / ours;
  const apart = Math.abs(ourArea / peerArea - 1);
  return {
    what: `Brush stroke of ${POINTS} points into ${VERTICES} vertices, ${how} (areas ${(100 * apart).toFixed(3)} % apart)`,
    ours: inMs(ours),
    peer: `paper unite ${inMs(peer)}`,
    ratio,
    goal: `${goal} times faster, areas within 0.5 %`,
    met: ratio >= goal && apart <= 0.005,
  };
}

/** A large shape with an uneven border, with coordinates of two decimals. */
function unevenShape(): Ring {
  return Array.from({ length: VERTICES }, (_, i) => {
    const angle = (2 * Math.PI * i) / VERTICES;
    const radius = 800 + 60 * Math.sin(9 * angle) + 8 * Math.sin(211 * angle) + 3 * Math.sin(997 * angle + 1);
    return [1500 + radius * Math.cos(angle), 1500 + radius * Math.sin(angle)].map((v) => Math.round(100 * v) / 100);
  }).flat();
}

/** A winding path across the border of the shape, with points about as far apart as a mouse reports them. */
function windingPath(): Ring {
  return Array.from({ length: POINTS }, (_, i) => {
    const t = i / (POINTS - 1);
    return [1000 + 1400 * t + 40 * Math.sin(12 * t), 1200 + 700 * t + 150 * Math.sin(9 * t)];
  }).flat();
}

function toPaper(rings: Rings): paper.PathItem {
  const children = rings.flat().map((ring) => {
    const path = new paper.Path({ insert: false });
    for (let i = 0; i + 1 < ring.length; i += 2) path.add(new paper.Point(ring[i]!, ring[i + 1]!));
    path.closed = true;
    return path;
  });
  return new paper.CompoundPath({ children, insert: false });
}

const areaOf = (item: paper.PathItem): number => Math.abs((item as paper.CompoundPath).area);
