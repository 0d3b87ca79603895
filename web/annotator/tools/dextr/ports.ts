import type {
  CursorPort,
  DextrPort,
  DrawPort,
  MessagePort,
  NotePort,
  PiecePort,
  ResultPort,
  TargetPort,
  ViewPort,
} from "../common/ports";

/** Ports that DEXTR uses. */
export type DextrPorts = ViewPort &
  TargetPort &
  Pick<DrawPort, "mayDraw" | "keepSketch" | "discardSketch"> &
  Pick<PiecePort, "showPiece"> &
  ResultPort &
  CursorPort &
  NotePort &
  MessagePort & { dextr: DextrPort };
