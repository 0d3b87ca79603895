import { t } from "@lingui/core/macro";
import { ActionIcon } from "@mantine/core";
import { ListTree } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { readOnlyText } from "../../document/locks";
import { useEditor, useMayEdit, useMode } from "../../editor/context";
import { AttributePanel } from "../attributes/AttributePanel";
import { CommentList } from "../comments/CommentList";
import classes from "../common/Annotator.module.css";
import { Tree } from "../tree/Tree";
import { FileTitle } from "./FileTitle";
import { LabelList } from "./LabelList";
import { SaveLine } from "./SaveLine";
import { SelectionBar } from "./SelectionBar";
import { StageBar } from "./StageBar";
import { ToolOptions } from "./ToolOptions";

/**
 * Sidebar with the file name, then categories, annotations and tool options, or the check boxes of label mode. Escape
 * in a field moves the focus to the canvas. On narrow screens it is above the image and folded at first.
 */
export function RightPanel() {
  const editor = useEditor();
  const mode = useMode();
  const mayEdit = useMayEdit();
  const [isFolded, setFolded] = useState(true);
  const handleKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (key === "Escape" && target instanceof HTMLInputElement && !defaultPrevented) editor.focus();
  };
  return (
    <aside
      className={classes.panel}
      data-folded={isFolded || undefined}
      aria-label={t`Annotations`}
      onKeyDown={handleKeyDown}
    >
      <FileTitle>
        <ActionIcon
          className={classes.foldButton}
          variant={isFolded ? "subtle" : "light"}
          color="gray"
          aria-label={t`Categories and options`}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          <ListTree size={18} />
        </ActionIcon>
      </FileTitle>
      <StageBar />
      {mode === "label" ? (
        <LabelList />
      ) : (
        <>
          <Tree />
          {mayEdit && <SelectionBar />}
          <fieldset disabled={!mayEdit} className={classes.lookOnly}>
            <AttributePanel />
          </fieldset>
          {mayEdit && <ToolOptions />}
        </>
      )}
      {!mayEdit && <p className={classes.readOnly}>{readOnlyText()}</p>}
      <CommentList />
      <SaveLine />
    </aside>
  );
}
