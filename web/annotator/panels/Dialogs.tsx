import { useDialog } from "../context";
import { AnnotationDialog } from "./AnnotationDialog";
import { CategoryDialog } from "./CategoryDialog";
import { ConflictsDialog } from "./ConflictsDialog";
import { HelpDialog } from "./HelpDialog";
import { NewCategoryDialog } from "./NewCategoryDialog";

/** Whatever stands open over the page. */
export function Dialogs() {
  const dialog = useDialog();
  switch (dialog?.kind) {
    case "help":
      return <HelpDialog />;
    case "new category":
      return <NewCategoryDialog isNeeded={dialog.needed} />;
    case "category":
      return <CategoryDialog id={dialog.id} />;
    case "annotation":
      return <AnnotationDialog uuid={dialog.uuid} />;
    case "conflicts":
      return <ConflictsDialog />;
    default:
      return null;
  }
}
