import { t } from "@lingui/core/macro";
import { createStore, useStore } from "zustand";
import { useDocument, useEditor, useHeldOnScreen, useSelection, useToolbox } from "../../editor/context";
import { titleOf } from "../../tree/rows";
import classes from "../common/Annotator.module.css";

const IN_SELECTED = createStore((): { startsNew: boolean; isRefinement?: boolean } => ({ startsNew: false }));

/** Hint for the active tool, and the target of its shapes. */
export function ToolHint() {
  const { tool, machine } = useToolbox();
  const held = useHeldOnScreen();
  const takesPart = held.alt || held.shift;
  const removes = held.alt || ((tool.removes ?? false) && !held.shift);
  const startsNew = useStore(machine.destination ?? IN_SELECTED, (state) => state.startsNew);
  const isRefinement = useStore(machine.destination ?? IN_SELECTED, (state) => state.isRefinement ?? false);
  const does = isRefinement ? "refines" : removes ? "erases" : "adds";
  return (
    <div className={classes.hint}>
      {tool.draws && (
        <Destination
          kind={takesPart ? "polygon" : tool.draws}
          removes={removes && !isRefinement}
          does={does}
          startsNew={startsNew}
        />
      )}
      {tool.hint}
    </div>
  );
}

interface DestinationProps {
  kind: "polygon" | "bbox" | "figure";
  removes: boolean;
  /** Effect of the next shape on the annotation. */
  does: "refines" | "erases" | "adds";
  /** True if the next shape becomes a new annotation although one is selected. */
  startsNew: boolean;
}

/** Shows which annotation the next shape goes into, before the user draws. */
function Destination({ kind, removes, does, startsNew }: DestinationProps) {
  const { drawing, layers } = useEditor();
  useDocument((state) => state);
  useSelection((state) => state);
  const { annotation, category } = drawing.destination(kind);
  if (!category) return <strong>{t`Create a category first`}</strong>;
  const isEmpty = startsNew || !annotation || drawing.isEmpty(annotation);
  if (isEmpty && removes) return <strong>{t`Nothing to erase in this annotation`}</strong>;
  if (isEmpty) return <strong>{t`New annotation of ${{ name: category.name }}`}</strong>;
  const title = titleOf(annotation, layers.numberOf(annotation.uuid) ?? 0);
  return <strong>{TEXTS[does](title, category.name)}</strong>;
}

const TEXTS: Record<DestinationProps["does"], (title: string, category: string) => string> = {
  refines: (title, category) => t`Refines annotation ${title} of ${category}`,
  erases: (title, category) => t`Erases from annotation ${title} of ${category}`,
  adds: (title, category) => t`Adds to annotation ${title} of ${category}`,
};
