import { SquarePen, Tags } from "lucide-react";
import { useEditor, useMode } from "../../editor/context";
import { modeText } from "../../state/mode";
import { useKeysOf } from "../common/useKeysOf";
import { BarButton } from "./BarButton";

/** Button that switches between segment and label mode. */
export function ModeButton() {
  const { actions } = useEditor();
  const mode = useMode();
  const keysOf = useKeysOf();
  return (
    <BarButton
      label={modeText(mode)}
      keys={keysOf("mode")}
      icon={mode === "segment" ? SquarePen : Tags}
      onClick={() => actions.toggleMode()}
    />
  );
}
