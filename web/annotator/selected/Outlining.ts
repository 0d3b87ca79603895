import { plural, t } from "@lingui/core/macro";
import type { Prompt } from "../../../model/dextr/base/request";
import { boxInside, fillsBox, isOnlyBox, requestOfBox } from "../../../model/dextr/boxes";
import { promptOfShape } from "../../../model/dextr/prompts";
import type { AnnotationEdit } from "../../../shared/edits/edit";
import { modification } from "../../../shared/edits/make";
import { same } from "../../../shared/edits/same";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Bbox, Rings } from "../../../shared/entities/shape";
import { ringsBounds } from "../../../shared/geometry/polygons";
import { uuid } from "../../io/uuid";
import { serverText } from "../../languages/serverText";
import type { Commands } from "../document/commands";
import type { History } from "../document/history";
import { lockedText } from "../document/locks";
import type { Outlines } from "../document/outlines";
import type { Notify } from "../document/ports";
import type { Drawing } from "../drawing/drawing";
import type { Ui } from "../state/ui";
import type { DextrPort } from "../tools/common/ports";
import type { ToolMachine, ToolName } from "../tools/common/tool";
import type { Selecting, SelectingParts } from "./Selecting";

interface OutliningParts extends SelectingParts {
  selecting: Selecting;
  outlines: Outlines;
  history: History;
  commands: Commands;
  drawing: Drawing;
  dextr: DextrPort;
  toolbox: {
    readonly tool: { name: ToolName };
    readonly machine: ToolMachine;
    choose(name: ToolName): void;
    conclude(): void;
  };
  ui: Ui;
  notify: Notify;
}

const TITLE = "DEXTR";

/** An outline that was found for a box. */
interface Found {
  box: Annotation;
  rings: Rings;
}

/** Lets DEXTR outline annotations that already have a shape: one, which the user corrects by clicks, or many boxes. */
export class Outlining {
  /** Tool that was active before the refinement. */
  private before: ToolName | null = null;
  private isRunning = false;
  /** Aborts when the image is left. */
  private readonly left = new AbortController();

  constructor(private readonly parts: OutliningParts) {}

  /** Stops outlining boxes, which then stay as they are. Must be called when the image is left. */
  close(): void {
    if (this.left.signal.aborted) return;
    this.left.abort();
    if (this.isRunning)
      this.parts.notify("info", TITLE, t`Outlining stopped, because the image was left. Its boxes are unchanged.`);
  }

  /** Begins to refine the selected annotation with the DEXTR tool. */
  refine(): void {
    const { document, selection, locks, layers, outlines, toolbox, drawing, ui } = this.parts;
    toolbox.conclude();
    const target = selection.state.annotation;
    drawing.after(() => {
      if (selection.state.annotation !== target) return;
      const annotation = document.annotation(selection.state.annotation);
      if (!annotation) ui.showMessage(t`Select an annotation first`);
      else if (locks.isLocked(annotation.uuid)) ui.showMessage(lockedText());
      else {
        layers.reveal(annotation);
        const rings = outlines.of(annotation);
        if (rings.length > 0 || !annotation.rle) this.begin(promptOfShape(rings));
        else
          outlines.whenTraced(annotation).then(
            (traced) => this.beginFor(annotation, traced),
            (error: unknown) => this.fail(error, t`The outline could not be computed.`),
          );
      }
    });
  }

  /** Returns to the tool that was active before the refinement. */
  endRefinement(): void {
    const { toolbox } = this.parts;
    const { before } = this;
    this.before = null;
    if (before && toolbox.tool.name === "DEXTR") toolbox.choose(before);
  }

  /**
   * Replaces boxes with outlines, as one undo step: the selected boxes if several annotations are selected, otherwise
   * all boxes of the image. Locked and hidden boxes stay, and so do boxes that no outline fills.
   */
  async outlineBoxes(): Promise<void> {
    const { ui, drawing, commands, history } = this.parts;
    const { signal } = this.left;
    if (this.isRunning) return;
    const boxes = this.boxes();
    if (boxes.length === 0) {
      ui.showMessage(t`There is no box to outline`);
      return;
    }
    this.isRunning = true;
    try {
      await drawing.settled();
      const found = await this.outlinesOf(boxes);
      signal.throwIfAborted();
      const edits = found.flatMap((each) => this.editFor(each) ?? []);
      const { made } = history;
      if (edits.length > 0) commands.applyAll(edits, t`Outline Boxes`);
      // If the edits were refused, the message that says why stays.
      if (edits.length === 0 || history.made > made) ui.showMessage(outcomeOf(edits.length, boxes.length));
    } catch (error) {
      this.fail(error, t`The boxes could not be outlined.`);
    } finally {
      this.isRunning = false;
    }
  }

  private boxes(): Annotation[] {
    const { document, selection, selecting, layers, locks } = this.parts;
    const all = selection.isMany ? selecting.annotations : [...document.state.annotations.values()];
    return all.filter((each) => isBox(each) && layers.isVisible(each) && !locks.isLocked(each.uuid));
  }

  private async outlinesOf(boxes: readonly Annotation[]): Promise<Found[]> {
    const { document, outlines, dextr, drawing, ui } = this.parts;
    const { signal } = this.left;
    const found: Found[] = [];
    for (const [i, annotation] of boxes.entries()) {
      signal.throwIfAborted();
      ui.showMessage(t`Outlining box ${{ number: i + 1 }} of ${{ total: boxes.length }}`);
      const prompt = boxInside(boxOf(annotation), document.state.image);
      if (!prompt || outlines.of(annotation).length === 0) continue;
      const { rings } = await dextr.predict(requestOfBox(prompt), signal);
      if (fillsBox(rings, prompt)) found.push({ box: annotation, rings: await drawing.united([], rings, true) });
    }
    return found;
  }

  /**
   * Returns the edit that replaces a box with its outline; undefined if the box was changed, deleted or locked in the
   * meantime. Being stored by the server or reloaded is no change.
   */
  private editFor({ box, rings }: Found): AnnotationEdit | undefined {
    const { document, locks } = this.parts;
    const now = document.annotation(box.uuid);
    if (!now || !isBox(now) || locks.isLocked(now.uuid) || !same(boxOf(now), boxOf(box))) return undefined;
    return modification(uuid(), now, { rings, isbbox: false });
  }

  /** Shows why something failed, unless the image was left, which may have been the reason. */
  private fail(error: unknown, fallback: string): void {
    if (this.left.signal.aborted) return;
    this.parts.notify("error", TITLE, error instanceof Error ? serverText(error.message) : fallback);
  }

  private beginFor({ uuid: target }: Annotation, rings: Rings): void {
    if (this.parts.selection.state.annotation === target) this.begin(promptOfShape(rings));
  }

  private begin(prompt: Prompt | null): void {
    const { toolbox, ui } = this.parts;
    if (!prompt) {
      ui.showMessage(t`The annotation has no shape to refine`);
      return;
    }
    const { name } = toolbox.tool;
    toolbox.choose("DEXTR");
    this.before = name === "DEXTR" ? null : name;
    toolbox.machine.refine?.(prompt);
  }
}

/** Returns the box around an annotation. `bbox` is computed by the server and does not follow the edits of this page. */
const boxOf = ({ rings, bbox }: Annotation): Bbox => (rings ? ringsBounds(rings) : bbox);
const isBox = (annotation: Annotation): boolean => isOnlyBox({ ...annotation, bbox: boxOf(annotation) });

function outcomeOf(outlined: number, all: number): string {
  const done = plural(outlined, { one: "# box outlined", other: "# boxes outlined" });
  const kept = all - outlined;
  return kept === 0 ? done : plural(kept, { one: `${done}, # kept as a box`, other: `${done}, # kept as boxes` });
}
