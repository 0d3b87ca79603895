import { t } from "@lingui/core/macro";
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Eye,
  EyeOff,
  Group,
  LockKeyhole,
  LockKeyholeOpen,
  Settings2,
  Trash2,
} from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { Annotation } from "../../../../shared/entities/annotation";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { missingAttributes } from "../../../../shared/rules/attributeValues";
import { groupOf } from "../../../../shared/rules/stacking";
import { isBoxOnly } from "../../document/outlines";
import { useDocument, useEditor, useLayers, useLocks, useMayEdit, useSelection } from "../../editor/context";
import { type KeypointList, titleOf } from "../../tree/rows";
import classes from "../common/Annotator.module.css";
import { lineId } from "./lineId";
import { RowButton } from "./RowButton";

interface Props {
  annotation: Annotation;
  number: number;
  /** State of the annotation's list of keypoints; null if it has none. */
  list: KeypointList;
  top: number;
}

/**
 * Row of an annotation: its colour, its name or number. A click selects the annotation; with Shift, all rows up to it;
 * with Control, it is added to the selection or removed from it; with both, all rows up to it are added. A double click
 * opens its settings.
 */
export const AnnotationRow = memo(function AnnotationRow({ annotation, number, list, top }: Props) {
  const { layers, locks, selection, selecting, navigation, actions, ui, parts } = useEditor();
  const isShown = useLayers(({ shown, hidden }) => shown.has(annotation.category_id) && !hidden.has(annotation.uuid));
  const isSelected = useSelection((state) => state.all.has(annotation.uuid));
  const isMain = useSelection((state) => state.annotation === annotation.uuid);
  const isInside = useSelection((state) => state.annotation === annotation.uuid && state.keypoint !== null);
  const isLocked = useLocks(({ locked }) => locked.has(annotation.uuid));
  const isHovered = useSelection((state) => state.hovered === annotation.uuid);
  const mayEdit = useMayEdit();
  const { uuid, id } = annotation;
  // Renders again when the meaning of colours changes.
  useLayers(({ colorBy }) => colorBy);
  const category = useDocument((state) => state.categories.find((each) => each.id === annotation.category_id));
  const color = layers.colorOf(annotation);
  const missing = missingAttributes(category?.attributes, annotation.attributes).map(({ name }) => name);
  const lack = missing.length > 0 ? t`Missing: ${{ names: missing.join(", ") }}` : undefined;
  const isGrouped = groupOf(annotation) !== null;
  const title = titleOf(annotation, number);
  const note = isEmpty(annotation) ? t`(Empty)` : id === null ? "" : t`(id: ${id})`;
  const handleClick = (event: MouseEvent) => {
    const isControl = event.ctrlKey || event.metaKey;
    if (event.shiftKey) navigation.selectTo(uuid, isControl);
    else if (isControl) selecting.toggle(uuid);
    else actions.selectListed(annotation);
  };
  const openSettings = () => ui.open({ kind: "annotation", uuid });
  const lockButton = (
    <RowButton
      isForMouse={!isLocked}
      isReachable={isMain}
      label={isLocked ? t`Unlock ${title}` : t`Lock ${title}`}
      icon={isLocked ? LockKeyhole : LockKeyholeOpen}
      onClick={() => locks.set([uuid], !isLocked)}
    />
  );
  return (
    <div
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-kind="annotation"
      data-hovered={isHovered || undefined}
      id={lineId(uuid)}
      role="treeitem"
      aria-level={2}
      aria-label={`${title} ${note}`.trim()}
      aria-description={lack}
      aria-selected={isSelected && !isInside}
      aria-expanded={list ? list === "open" : undefined}
      tabIndex={-1}
      onClick={handleClick}
      onDoubleClick={openSettings}
      onKeyDown={({ key }) => key === "Enter" && actions.selectListed(annotation)}
      onPointerEnter={() => selection.hover(uuid)}
      onPointerLeave={() => selection.hover(null)}
    >
      {list && (
        <RowButton
          isReachable={isMain}
          label={list === "open" ? t`Collapse keypoints of ${title}` : t`Expand keypoints of ${title}`}
          icon={list === "open" ? ChevronDown : ChevronRight}
          onClick={() => layers.listKeypoints(list !== "open")}
        />
      )}
      <span className={classes.swatch} style={{ background: color }} />
      <span className={classes.name} title={title}>
        {title} <span className={classes.dim}>{note}</span>
      </span>
      {isGrouped && (
        <span className={classes.grouped} title={t`In a group`}>
          <Group size={12} aria-hidden />
        </span>
      )}
      {lack && (
        <span className={classes.lack} title={lack}>
          <CircleAlert size={13} aria-hidden />
        </span>
      )}
      <span className={classes.about}>{aboutOf(annotation, parts.username)}</span>
      <span className={classes.actions}>
        {mayEdit && !isLocked && lockButton}
        <RowButton isReachable={isMain} label={t`Settings of ${title}`} icon={Settings2} onClick={openSettings} />
        {mayEdit && (
          <RowButton
            isReachable={isMain}
            label={t`Delete ${title}`}
            icon={Trash2}
            onClick={() => actions.delete(uuid)}
          />
        )}
      </span>
      {isLocked && lockButton}
      <RowButton
        isReachable={isMain}
        label={isShown ? t`Hide ${title}` : t`Show ${title}`}
        icon={isShown ? Eye : EyeOff}
        onClick={() => layers.toggleAnnotation(uuid)}
      />
    </div>
  );
});

/** Returns the size of an annotation in image pixels, and its author if that is another user. */
function aboutOf({ rings, bbox, creator }: Annotation, username: string | null): string {
  const [, , width, height] = rings && rings.length > 0 ? ringsBounds(rings) : bbox;
  const size = width > 0 || height > 0 ? `${Math.round(width)} × ${Math.round(height)}` : "";
  return [creator !== null && creator !== username && creator, size].filter(Boolean).join("  ");
}

function isEmpty(annotation: Annotation): boolean {
  const { rings, rle, keypoints } = annotation;
  return !rings?.length && (rings !== null || rle === null) && !keypoints?.length && !isBoxOnly(annotation);
}
