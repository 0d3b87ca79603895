import { Eye, EyeOff, Keyboard, Maximize, Redo2, Undo2 } from "lucide-react";
import classes from "../Annotator.module.css";
import { useEditor, useHistory, useIsDrawing, useSelection, useToolbox } from "../context";
import type { StepName } from "../history";
import { showKeys } from "../shortcuts";
import { tools } from "../tools";
import { BarButton } from "./BarButton";
import { SaveButton } from "./SaveButton";

/** Tools, then what is shown, then the view and the history, then saving and help. */
export function LeftBar() {
  const editor = useEditor();
  const history = useHistory();
  const isDrawing = useIsDrawing();
  const { tool } = useToolbox();
  const hasHand = useSelection((state) => state.annotation !== null);
  const keysOf = (id: string) => {
    const keys = editor.list.find((command) => command.id === id)?.keys[0];
    return keys && showKeys(keys);
  };
  return (
    <nav className={classes.bar} aria-label="Tools">
      {tools.map((each) => (
        <BarButton
          key={each.name}
          label={`${each.name} Tool`}
          keys={keysOf(`tool ${each.name}`)}
          icon={each.icon}
          active={each === tool}
          lacks={each.needsAnnotation && !hasHand ? "no annotation selected, makes a new one" : undefined}
          onClick={() => editor.actions.chooseTool(each.name)}
        />
      ))}
      <div className={classes.line} />
      <BarButton label="Show All" icon={Eye} onClick={() => editor.layers.showAll()} />
      <BarButton label="Hide All" icon={EyeOff} onClick={() => editor.layers.hideAll()} />
      <div className={classes.line} />
      <BarButton label="Center" keys={keysOf("center")} icon={Maximize} onClick={() => editor.view.fit()} />
      <BarButton
        label={labelOf("Undo", history.undo, "Nothing to undo")}
        keys={keysOf("undo")}
        icon={Undo2}
        disabled={!history.undo && !isDrawing}
        onClick={() => editor.actions.undo()}
      />
      <BarButton
        label={labelOf("Redo", history.redo, "Nothing to redo")}
        keys={keysOf("redo")}
        icon={Redo2}
        disabled={!history.redo}
        onClick={() => editor.actions.redo()}
      />
      <div className={classes.line} />
      <SaveButton keys={keysOf("save")} />
      <BarButton
        label="Keyboard Shortcuts"
        keys={keysOf("help")}
        icon={Keyboard}
        onClick={() => editor.ui.open({ kind: "help" })}
      />
    </nav>
  );
}

function labelOf(verb: string, step: StepName | null, nothing: string): string {
  return step ? `${verb} (Last Action: ${`${step.name} ${step.action}`.trim()})` : nothing;
}
