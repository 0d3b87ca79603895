import { useEffect } from "react";
import { useDialog, useEditor } from "../../editor/context";
import { PaletteDialog } from "../palette/PaletteDialog";
import { PropagateDialog } from "../propagate/PropagateDialog";
import { AnnotationDialog } from "./AnnotationDialog";
import { AnnotationsDialog } from "./AnnotationsDialog";
import { CategoryDialog } from "./CategoryDialog";
import { ConflictsDialog } from "./ConflictsDialog";
import { CopyDialog } from "./CopyDialog";
import { DeleteImageDialog } from "./DeleteImageDialog";
import { HelpDialog } from "./HelpDialog";
import { ImageSettingsDialog } from "./ImageSettingsDialog";
import { KeypointDialog } from "./KeypointDialog";
import { NewCategoryDialog } from "./NewCategoryDialog";

/** Renders the open dialog, if any. Returns the focus to the canvas when it closes. */
export function Dialogs() {
  const editor = useEditor();
  const dialog = useDialog();
  const isOpen = dialog !== null;
  useEffect(() => (isOpen ? () => editor.focus() : undefined), [isOpen, editor]);
  switch (dialog?.kind) {
    case "help":
      return <HelpDialog />;
    case "palette":
      return <PaletteDialog />;
    case "new category":
      return <NewCategoryDialog isNeeded={dialog.needed} onCreated={dialog.onCreated} />;
    case "category":
      return <CategoryDialog id={dialog.id} />;
    case "annotation":
      return <AnnotationDialog uuid={dialog.uuid} />;
    case "annotations":
      return <AnnotationsDialog />;
    case "keypoint":
      return <KeypointDialog uuid={dialog.uuid} label={dialog.label} />;
    case "image settings":
      return <ImageSettingsDialog />;
    case "conflicts":
      return <ConflictsDialog />;
    case "copy":
      return <CopyDialog />;
    case "propagate":
      return <PropagateDialog />;
    case "delete image":
      return <DeleteImageDialog />;
    default:
      return null;
  }
}
