import { t } from "@lingui/core/macro";
import { useEditor, useMayEdit, useSelection, useToolbox } from "../../editor/context";
import { tools } from "../../tools";
import { useKeysOf } from "../common/useKeysOf";
import { BarButton } from "./BarButton";

/** Buttons of the tools, the active one pressed. */
export function ToolButtons() {
  const { creating } = useEditor();
  const { tool } = useToolbox();
  const hasSelected = useSelection((state) => state.annotation !== null);
  const keysOf = useKeysOf();
  const mayEdit = useMayEdit();
  return tools
    .filter(({ name }) => mayEdit || name === "Select")
    .map((each) => (
      <BarButton
        key={each.name}
        label={t`${{ tool: each.label }} Tool`}
        keys={keysOf(`tool ${each.name}`)}
        tour={`tool ${each.name}`}
        icon={each.icon}
        active={each === tool}
        disabledReason={
          each.needsAnnotation && !hasSelected && each !== tool
            ? t`no annotation selected; creates a new one`
            : undefined
        }
        onClick={() => creating.chooseTool(each.name)}
      />
    ));
}
