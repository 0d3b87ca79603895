import { useDocument, useEditor, useSelection, useToolbox } from "../../editor/context";
import { titleOf } from "../../tree/rows";
import classes from "../common/Annotator.module.css";

/** Hint for the active tool, and the target of its shapes. */
export function ToolHint() {
  const { tool } = useToolbox();
  return (
    <div className={classes.hint}>
      {tool.draws && <Destination kind={tool.draws} removes={tool.removes ?? false} />}
      {tool.hint}
    </div>
  );
}

/** Shows which annotation the next shape goes into, before the user draws. */
function Destination({ kind, removes }: { kind: "polygon" | "bbox"; removes: boolean }) {
  const { drawing, document } = useEditor();
  useDocument((state) => state);
  useSelection((state) => state);
  const { annotation, category } = drawing.destination(kind);
  if (!category) return <strong>Create a category first</strong>;
  const isEmpty = !annotation || drawing.isEmpty(annotation);
  if (isEmpty && removes) return <strong>Nothing to erase in this annotation</strong>;
  if (isEmpty) return <strong>New annotation of {category.name}</strong>;
  const number = document.ofCategory(category.id).findIndex(({ uuid }) => uuid === annotation.uuid) + 1;
  const title = titleOf(annotation, number);
  return (
    <strong>
      {removes ? "Erases from" : "Adds to"} annotation {title} of {category.name}
    </strong>
  );
}
