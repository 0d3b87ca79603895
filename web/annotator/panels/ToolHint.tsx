import { VisuallyHidden } from "@mantine/core";
import classes from "../Annotator.module.css";
import { useDocument, useEditor, useSaid, useSelection, useToolbox } from "../context";
import { titleOf } from "../rows";

/** What one does with the active tool, and where that which it draws goes. */
export function ToolHint() {
  const { tool } = useToolbox();
  const said = useSaid();
  return (
    <div className={classes.hint}>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {tool.draws && <Destination kind={tool.draws} />}
      {tool.hint}
    </div>
  );
}

/** Said before one draws, as it decides whether shapes grow together or stand alone. */
function Destination({ kind }: { kind: "polygon" | "bbox" }) {
  const { drawing, document } = useEditor();
  useDocument((state) => state);
  useSelection((state) => state);
  const { annotation, category } = drawing.destination(kind);
  if (!category) return <strong>Create a category first</strong>;
  if (!annotation || drawing.isEmpty(annotation)) return <strong>New annotation of {category.name}</strong>;
  const number = document.ofCategory(category.id).findIndex(({ uuid }) => uuid === annotation.uuid) + 1;
  const title = titleOf(annotation, number);
  return (
    <strong>
      Adds to annotation {title} of {category.name}
    </strong>
  );
}
