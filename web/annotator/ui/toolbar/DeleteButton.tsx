import { t } from "@lingui/core/macro";
import { Trash2 } from "lucide-react";
import { useDocument, useEditor } from "../../editor/context";
import { BarButton } from "./BarButton";

/** Button that opens the dialog for deleting the image. Hidden from users who may not delete it. */
export function DeleteButton() {
  const { ui } = useEditor();
  const isAllowed = useDocument((state) => state.permissions.image.delete);
  if (!isAllowed) return null;
  return (
    <BarButton
      label={t`Delete Image`}
      icon={Trash2}
      color="red"
      needsServer
      onClick={() => ui.open({ kind: "delete image" })}
    />
  );
}
