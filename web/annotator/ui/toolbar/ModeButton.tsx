import { SquarePen, Tags } from "lucide-react";
import { useEditor, useMode } from "../../editor/context";
import { useKeysOf } from "../common/useKeysOf";
import { BarButton } from "./BarButton";

/** Goes from drawing shapes to ticking labels, and back. */
export function ModeButton() {
  const { actions } = useEditor();
  const mode = useMode();
  const keysOf = useKeysOf();
  return (
    <BarButton
      label={`Mode: ${mode}`}
      keys={keysOf("mode")}
      icon={mode === "segment" ? SquarePen : Tags}
      onClick={() => actions.toggleMode()}
    />
  );
}
