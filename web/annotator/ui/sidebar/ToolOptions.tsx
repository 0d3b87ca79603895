import { t } from "@lingui/core/macro";
import { useEditor, useIsDrawing, useToolbox } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { BoxFields } from "./BoxFields";
import { KeypointProgress } from "./KeypointProgress";
import { ShapeMenu } from "./ShapeMenu";
import { ToolHint } from "./ToolHint";

/** Options of the active tool. */
export function ToolOptions() {
  const { toolbox } = useEditor();
  const { tool, machine } = useToolbox();
  const isDrawing = useIsDrawing();
  const { Panel } = tool;
  return (
    <section className={classes.options} aria-label={t`${{ tool: tool.label }} options`}>
      <div className={classes.optionsTitle}>{tool.label}</div>
      <ToolHint />
      <BoxFields />
      <ShapeMenu />
      {tool.name === "Keypoints" && <KeypointProgress />}
      <Panel
        options={toolbox.optionsOf(tool)}
        machine={machine}
        isDrawing={isDrawing}
        onChange={(change) => toolbox.change(tool, change)}
      />
    </section>
  );
}
