import type { Rings } from "../../../shared/entities/shape";
import { combine } from "../../../shared/geometry/combine";
import { simplifyRings } from "../../../shared/geometry/simplify";
import type { Commands } from "../document/commands";
import type { AnnotatorDocument } from "../document/document";
import type { History } from "../document/history";
import { Outlines } from "../document/outlines";
import { Drawing } from "../drawing/drawing";
import { KeptSketch } from "../drawing/keptSketch";
import { pieceMaker } from "../drawing/pieces";
import { Pixels } from "../drawing/pixels";
import type { Settings } from "../preferences/settings";
import type { Selection } from "../state/selection";
import type { EditorParts } from "./editorParts";

interface Base {
  document: AnnotatorDocument;
  history: History;
  selection: Selection;
  commands: Commands;
  settings: Settings;
  /** Called when a mask's outline has been traced. */
  onTraced: (uuid: string) => void;
  imageAddress: () => string;
}

/** Number of coordinates below which shapes are computed at once, without flicker; larger ones go to the worker. */
const MAX_COMPUTED_HERE = 4000;
const isSmall = (rings: Rings): boolean => rings.flat(2).length < MAX_COMPUTED_HERE;

/**
 * Creates the parts that compute shapes: outlines of masks, drawn shapes, and the tools that read pixels (DEXTR, wand,
 * scissors).
 */
export function makeDrawingParts(
  { scene, compute, dextr, notify, sketches }: EditorParts,
  { document, history, selection, commands, settings, onTraced, imageAddress }: Base,
) {
  const { id, width, height } = scene.image;
  const tolerance = () => settings.state.simplify;
  const outlines = new Outlines(compute.trace, onTraced);
  const drawing = new Drawing({
    document,
    history,
    selection,
    outlines,
    commands,
    unite: (a, b) => (isSmall(a) && isSmall(b) ? Promise.resolve(combine("unite", a, b)) : compute.unite(a, b)),
    simplify: (rings) =>
      isSmall(rings) ? Promise.resolve(simplifyRings(rings, tolerance())) : compute.simplify(rings, tolerance()),
    withPiece: pieceMaker(compute, tolerance, { width, height }),
    notify,
  });
  const pixels = new Pixels({ compute, dextr, image: () => ({ id, address: imageAddress() }), tolerance });
  const sketch = new KeptSketch(document, selection, sketches, history);
  return { outlines, drawing, pixels, sketch };
}
