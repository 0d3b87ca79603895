import { SquarePen, Tags } from "lucide-react";
import { useEditor, useMode } from "../context";
import { BarButton } from "./BarButton";
import { useKeysOf } from "./useKeysOf";

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
