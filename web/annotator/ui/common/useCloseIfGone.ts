import { useEffect } from "react";
import { useEditor } from "../../editor/context";

/**
 * Closes the open dialog as soon as its subject is gone, e.g. deleted by another user. A dialog that only showed nothing
 * would still count as open: the canvas would not get the focus back.
 */
export function useCloseIfGone(isGone: boolean): void {
  const { ui } = useEditor();
  useEffect(() => {
    if (isGone) ui.close();
  }, [isGone, ui]);
}
