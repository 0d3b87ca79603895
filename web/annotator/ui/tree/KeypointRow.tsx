import { t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import { Circle, CircleDashed, CircleHelp, Trash2 } from "lucide-react";
import { memo } from "react";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import { useEditor, useKeypoints, useMayEdit, useSelection } from "../../editor/context";
import { type Label, visibilityText } from "../../keypoints/model/points";
import { visibilities } from "../../tools/keypoints/visibilities";
import classes from "../common/Annotator.module.css";
import { keypointLineId } from "./lineId";
import { RowButton } from "./RowButton";

interface Props {
  annotation: Annotation;
  label: Label;
  point: Keypoint | null;
  top: number;
}

/** Icons by visibility: not labelled, not visible (hollow, as on the image), visible, unknown. */
const MARKERS = [CircleDashed, Circle, Circle, CircleHelp] as const;

/** Row of a keypoint label of the selected annotation. A click selects its point, or makes it the next one to place. */
export const KeypointRow = memo(function KeypointRow({ annotation, label, point, top }: Props) {
  const { actions, keypoints } = useEditor();
  const isSelected = useSelection((state) => state.keypoint === label.id);
  const isNext = useKeypoints((state) => state.next?.id === label.id);
  const isHovered = useKeypoints((state) => state.hovered === label.id);
  const mayEdit = useMayEdit();
  const { id, name, color } = label;
  const v = point?.v ?? 0;
  const visibility = visibilityText(v);
  const Marker = MARKERS[v] ?? CircleHelp;
  const handleSelect = () => (v > 0 || !mayEdit ? actions.selectKeypoint(id) : actions.placeKeypoint(id));
  return (
    <div
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-kind="keypoint"
      data-visibility={v}
      data-hovered={isHovered || undefined}
      id={keypointLineId(annotation.uuid, id)}
      role="treeitem"
      aria-level={3}
      aria-selected={isSelected}
      aria-label={isNext ? t`${name}: ${visibility}, next` : `${name}: ${visibility}`}
      tabIndex={-1}
      onClick={handleSelect}
      onDoubleClick={() => point && mayEdit && keypoints.doubleClick(id)}
      onKeyDown={({ key }) => key === "Enter" && handleSelect()}
      onPointerEnter={() => keypoints.hover(v > 0 ? id : null)}
      onPointerLeave={() => keypoints.hover(null)}
    >
      <Marker size={13} fill={v === 2 ? color : "none"} className={classes.marker} aria-hidden />
      <span className={classes.name} title={name}>
        {name} {isNext && <span className={classes.dim}>{t`next`}</span>}
      </span>
      {point && mayEdit && (
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <button
                type="button"
                className={classes.rowButton}
                tabIndex={isSelected ? 0 : -1}
                title={t`Visibility of ${name}: ${visibility}`}
                aria-label={t`Visibility of ${name}`}
                onClick={(event) => event.stopPropagation()}
                onMouseDown={(event) => event.preventDefault()}
                onDoubleClick={(event) => event.stopPropagation()}
              >
                {v}
              </button>
            </Menu.Target>
            <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
              {visibilities().map(({ value, label: text }) => (
                <Menu.Item key={value} onClick={() => keypoints.setVisibility(id, Number(value))}>
                  {text}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <RowButton
            isQuiet
            isReachable={isSelected}
            label={t`Delete ${name}`}
            icon={Trash2}
            onClick={() => keypoints.delete(id)}
          />
        </>
      )}
    </div>
  );
});
