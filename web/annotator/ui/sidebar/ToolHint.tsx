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
  const does = isRefinement ? "Refines" : removes ? "Erases from" : "Adds to";
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
  /** Effect of the next shape on the annotation, such as "Adds to". */
  does: string;
  /** True if the next shape becomes a new annotation although one is selected. */
  startsNew: boolean;
}

/** Shows which annotation the next shape goes into, before the user draws. */
function Destination({ kind, removes, does, startsNew }: DestinationProps) {
  const { drawing, document } = useEditor();
  useDocument((state) => state);
  useSelection((state) => state);
  const { annotation, category } = drawing.destination(kind);
  if (!category) return <strong>Create a category first</strong>;
  const isEmpty = startsNew || !annotation || drawing.isEmpty(annotation);
  if (isEmpty && removes) return <strong>Nothing to erase in this annotation</strong>;
  if (isEmpty) return <strong>New annotation of {category.name}</strong>;
  const number = document.ofCategory(category.id).findIndex(({ uuid }) => uuid === annotation.uuid) + 1;
  const title = titleOf(annotation, number);
  return (
    <strong>
      {does} annotation {title} of {category.name}
    </strong>
  );
}
