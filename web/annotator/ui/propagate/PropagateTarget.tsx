import { t } from "@lingui/core/macro";
import { Check } from "lucide-react";
import { boxRing } from "../../../../shared/coco/measure";
import type { Annotation } from "../../../../shared/entities/annotation";
import type { ImageSummary } from "../../../../shared/entities/image";
import type { Rings } from "../../../../shared/entities/shape";
import { useIsAway } from "../../../components/offline/away";
import { Thumbnail } from "../../../components/Thumbnail";
import type { Copies } from "../../clipboard/fitting";
import type { Target } from "../../clipboard/Propagation";
import { useEditor } from "../../editor/context";
import classes from "./PropagateDialog.module.css";

/** Maximum number of an image's annotations that are shown. */
const MAX_PRESENT = 200;

interface Props {
  /** Place of the image in the list, from 1. */
  number: number;
  image: ImageSummary;
  target: Target | undefined;
  copies: Copies | undefined;
  isChosen: boolean;
  onToggle: () => void;
}

/**
 * One image of the preview, with the annotations that it has and those that it would get. A press leaves the image out,
 * or includes it again.
 */
export function PropagateTarget({ number, image, target, copies, isChosen, onToggle }: Props) {
  const { document } = useEditor();
  const isAway = useIsAway();
  const problem = problemOf(target, copies, isAway);
  const isOn = isChosen && problem === null;
  const present = target?.document ? [...target.document.state.annotations.values()].slice(0, MAX_PRESENT) : [];
  return (
    <li>
      <button
        type="button"
        className={classes.target}
        aria-pressed={isOn}
        aria-label={`${number}: ${image.file_name}${problem ? `, ${problem}` : ""}`}
        aria-disabled={problem !== null || undefined}
        data-on={isOn || undefined}
        onClick={() => problem === null && onToggle()}
      >
        <span className={classes.picture}>
          <Thumbnail imageId={image.id} />
          <svg
            className={classes.overlay}
            viewBox={`0 0 ${image.width} ${image.height}`}
            preserveAspectRatio="xMidYMid meet"
            aria-hidden="true"
          >
            {present.map((annotation) => (
              <path key={annotation.uuid} d={pathOf(outlineOf(annotation))} className={classes.present} />
            ))}
            {copies?.annotations.map((annotation, index) => (
              <path
                // biome-ignore lint/suspicious/noArrayIndexKey: the copies have no ids and never change their order
                key={index}
                d={pathOf(annotation.rings)}
                className={classes.copy}
                style={{ color: document.category(annotation.category_id)?.color }}
              />
            ))}
          </svg>
          {isOn && <Check size={14} strokeWidth={3} className={classes.check} />}
        </span>
        <span className={classes.caption}>
          <span className={classes.number}>{number}</span>
          <span className={classes.file}>{problem ?? image.file_name}</span>
        </span>
      </button>
    </li>
  );
}

/** Returns the reason why an image gets no annotations; null if it gets some, or if it is still loading. */
function problemOf(target: Target | undefined, copies: Copies | undefined, isAway: boolean): string | null {
  if (!target || !copies) return null;
  if (!target.document) return isAway ? t`not available offline` : t`could not be loaded`;
  if (copies.annotations.length > 0) return null;
  if (copies.skipped > 0) return t`already has the category`;
  return copies.known > 0 ? t`already has them` : t`too small`;
}

/** Returns the outline of an annotation, or the box of a mask. */
const outlineOf = ({ rings, bbox }: Annotation): Rings => rings ?? [[boxRing(bbox)]];

const pathOf = (rings: Rings): string =>
  rings
    .flat()
    .map((ring) => `M${ring.map((value) => Math.round(value)).join(" ")}Z`)
    .join("");
