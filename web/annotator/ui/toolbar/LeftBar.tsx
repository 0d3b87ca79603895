import { t } from "@lingui/core/macro";
import { Copy, Eye, EyeOff, Keyboard, Maximize, MessageSquarePlus, Redo2, Undo2 } from "lucide-react";
import { useStore } from "zustand";
import type { StepName } from "../../document/history";
import { stepText } from "../../document/stepNames";
import {
  useComments,
  useEditor,
  useHistory,
  useIsDrawing,
  useMayEdit,
  useMode,
  useToolbox,
} from "../../editor/context";
import { toolNamed } from "../../tools";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";
import { AnnotateButton } from "./AnnotateButton";
import { BarButton } from "./BarButton";
import { ImageMenu } from "./ImageMenu";
import { ModeButton } from "./ModeButton";
import { SaveButton } from "./SaveButton";
import { ToolButtons } from "./ToolButtons";

/**
 * Toolbar: saving, history and view; then the tools (segment mode only); then mode and commands for all annotations;
 * then help, and the menu of the image. Without what changes the image for users who may only look.
 */
export function LeftBar() {
  const editor = useEditor();
  const history = useHistory();
  const isDrawing = useIsDrawing();
  const discarded = useStore(editor.sketch.discarded, ({ sketch }) => sketch);
  const { tool } = useToolbox();
  const unfinished = isDrawing ? { name: tool.label, action: t`Added Points` } : null;
  const undone =
    unfinished ?? (discarded && { name: toolNamed(discarded.tool).label, action: t`Delete` }) ?? history.undo;
  const isSegment = useMode() === "segment";
  const isPlacing = useComments((state) => state.isPlacing);
  const keysOf = useKeysOf();
  const mayEdit = useMayEdit();
  return (
    <nav className={classes.bar} aria-label={t`Tools`}>
      <SaveButton keys={keysOf("save")} />
      {mayEdit && (
        <>
          <BarButton
            label={undoText(undone)}
            keys={keysOf("undo")}
            icon={Undo2}
            disabled={!undone}
            onClick={() => editor.undoing.undo()}
          />
          <BarButton
            label={redoText(history.redo)}
            keys={keysOf("redo")}
            icon={Redo2}
            disabled={!history.redo}
            onClick={() => editor.undoing.redo()}
          />
        </>
      )}
      <BarButton label={t`Center`} keys={keysOf("center")} icon={Maximize} onClick={() => editor.view.fit()} />
      <div className={classes.line} />
      {isSegment && (
        <>
          <ToolButtons />
          <div className={classes.line} />
        </>
      )}
      {editor.comments.mayWrite && (
        <BarButton
          label={t`Comment`}
          keys={keysOf("comment")}
          icon={MessageSquarePlus}
          active={isPlacing}
          onClick={() => editor.comments.togglePlacing()}
        />
      )}
      <ModeButton />
      {mayEdit && <AnnotateButton />}
      {isSegment && (
        <>
          {mayEdit && (
            <BarButton label={t`Copy Annotations`} icon={Copy} onClick={() => editor.ui.open({ kind: "copy" })} />
          )}
          <BarButton label={t`Show All`} icon={Eye} onClick={() => editor.layers.showAll()} />
          <BarButton label={t`Hide All`} icon={EyeOff} onClick={() => editor.layers.hideAll()} />
        </>
      )}
      <div className={classes.line} />
      <BarButton
        label={t`Keyboard Shortcuts`}
        keys={keysOf("help")}
        tour="help"
        icon={Keyboard}
        onClick={() => editor.ui.open({ kind: "help" })}
      />
      <ImageMenu />
    </nav>
  );
}

const undoText = (step: StepName | null): string =>
  step ? t`Undo (Last Action: ${{ step: stepText(step) }})` : t`Nothing to undo`;

const redoText = (step: StepName | null): string =>
  step ? t`Redo (Last Action: ${{ step: stepText(step) }})` : t`Nothing to redo`;
