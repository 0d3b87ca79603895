import { t } from "@lingui/core/macro";
import type { Neighbours, ShapeOperations } from "../../drawing/shapeOperations";
import type { Simplifying } from "../../drawing/simplifying";
import type { Command } from "../../keyboard/shortcuts";
import type { Outlining } from "../../selected/Outlining";
import type { Selection } from "../../state/selection";
import type { Ui } from "../../state/ui";

export interface ShapeCommandParts {
  operations: ShapeOperations;
  simplifying: Simplifying;
  outlining: Outlining;
  selection: Selection;
  ui: Ui;
}

/** Commands that merge, subtract, convert, refine and simplify shapes of the selected annotations. */
export function shapeCommands({ operations, simplifying, outlining, selection, ui }: ShapeCommandParts): Command[] {
  // The main annotation first, because merging keeps its id, category and metadata.
  const selected = (): string[] => {
    const { annotation, all } = selection.state;
    if (annotation === null) ui.showMessage(t`Select an annotation first`);
    return annotation === null ? [] : [annotation, ...[...all].filter((uuid) => uuid !== annotation)];
  };
  const subtract = (which: Neighbours) => void operations.subtractNeighbours(selected(), which);
  const group = "Annotations";
  return [
    {
      id: "merge",
      name: t`Merge Selected, or with Annotation under Pointer`,
      group,
      keys: [["m"]],
      run: () => merge(),
    },
    {
      id: "subtract neighbours",
      name: t`Subtract Neighbours`,
      group,
      keys: [["shift", "m"]],
      run: () => subtract("all"),
    },
    { id: "subtract above", name: t`Subtract Smaller Neighbours`, group, keys: [], run: () => subtract("above") },
    {
      id: "to box",
      name: t`Convert to Box`,
      group,
      keys: [["shift", "r"]],
      run: () => void operations.toBox(selected()),
    },
    {
      id: "to outline",
      name: t`Convert to Outline`,
      group,
      keys: [["shift", "v"]],
      run: () => void operations.toOutline(selected()),
    },
    {
      id: "refine",
      name: t`Refine with DEXTR, or Outline a Box`,
      group,
      keys: [["u"]],
      run: () => outlining.refine(),
    },
    {
      id: "outline boxes",
      name: t`Outline All Boxes with DEXTR`,
      group,
      keys: [],
      run: () => void outlining.outlineBoxes(),
    },
    { id: "simplify", name: t`Simplify…`, group, keys: [["shift", "o"]], run: () => simplify() },
  ];

  function merge(): void {
    const [first, ...others] = selected();
    const { hovered } = selection.state;
    if (first === undefined) return;
    if (others.length > 0) void operations.merge([first, ...others]);
    else if (hovered === null || hovered === first) ui.showMessage(t`Point at the annotation to merge with`);
    else void operations.merge([first, hovered]);
  }

  function simplify(): void {
    if (selected().length > 0 && !simplifying.begin()) ui.showMessage(t`The annotation has no shape to simplify`);
  }
}
