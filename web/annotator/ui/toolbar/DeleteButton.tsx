import { Trash2 } from "lucide-react";
import { useDocument, useEditor } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { BarButton } from "./BarButton";

/** Asks before it deletes the image; for those who may. */
export function DeleteButton() {
  const { ui } = useEditor();
  const isAllowed = useDocument((state) => state.permissions.image.delete);
  if (!isAllowed) return null;
  return (
    <>
      <div className={classes.line} />
      <BarButton label="Delete Image" icon={Trash2} color="red" onClick={() => ui.open({ kind: "delete image" })} />
    </>
  );
}
