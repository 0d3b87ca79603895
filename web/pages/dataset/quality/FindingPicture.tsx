import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { Thumbnail } from "../../../components/Thumbnail";
import classes from "./Quality.module.css";

interface Props {
  image: NonNullable<ShownFinding["image"]>;
  /** Annotations whose boxes are marked. */
  boxes: readonly ShownFinding["annotation"][];
}

/** Thumbnail of an image as a whole, with the boxes of annotations. */
export function FindingPicture({ image: { id, width, height }, boxes }: Props) {
  return (
    <div className={classes.picture}>
      <Thumbnail imageId={id} />
      <svg className={classes.boxes} viewBox={`0 0 ${width} ${height}`} aria-hidden>
        {boxes.map((each, i) => {
          if (!each) return null;
          const [x, y, across, down] = each.bbox;
          const rectangle = { x, y, width: Math.max(0, across), height: Math.max(0, down) };
          return (
            <g key={each.id} data-other={i > 0 || undefined}>
              <rect {...rectangle} className={classes.rim} />
              <rect {...rectangle} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}
