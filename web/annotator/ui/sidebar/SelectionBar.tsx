import { t } from "@lingui/core/macro";
import { ActionIcon, Tooltip } from "@mantine/core";
import { EyeOff, LockKeyhole, Settings2, Trash2, X } from "lucide-react";
import type { ComponentType } from "react";
import { selectedText } from "../../document/stepNames";
import { useEditor, useSelection } from "../../editor/context";
import { withKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";

/** Number of selected annotations, and commands on all of them; nothing if fewer than two are selected. */
export function SelectionBar() {
  const { actions, selected, selection } = useEditor();
  const count = useSelection(({ all }) => all.size);
  if (count < 2) return null;
  return (
    <section className={classes.selectionBar} aria-label={t`Selected annotations`}>
      <span className={classes.selectionCount}>{selectedText(count)}</span>
      <BarIcon
        label={t`Settings of the selected annotations`}
        id="annotation settings"
        icon={Settings2}
        onClick={() => actions.openAnnotationSettings()}
      />
      <BarIcon
        label={t`Hide the selected annotations`}
        id="hide selected"
        icon={EyeOff}
        onClick={() => selected.hideOrShow()}
      />
      <BarIcon
        label={t`Lock or unlock the selected annotations`}
        id="lock"
        icon={LockKeyhole}
        onClick={() => selected.lockOrUnlock()}
      />
      <BarIcon label={t`Delete the selected annotations`} id="delete" icon={Trash2} onClick={() => selected.delete()} />
      <BarIcon label={t`Deselect`} id="cancel" icon={X} onClick={() => selection.selectAnnotation(null)} />
    </section>
  );
}

interface Props {
  label: string;
  /** Id of the command with the same effect, whose keys the tooltip shows. */
  id: string;
  icon: ComponentType<{ size?: number }>;
  onClick: () => void;
}

function BarIcon({ label, id, icon: Icon, onClick }: Props) {
  const keysOf = useKeysOf();
  return (
    <Tooltip label={withKeys(label, keysOf(id))} openDelay={300}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={label}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
