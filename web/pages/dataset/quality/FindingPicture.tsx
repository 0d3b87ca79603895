import type { CSSProperties } from "react";
import type { ShownFinding } from "../../../../shared/api/datasets/quality";
import { Thumbnail } from "../../../components/Thumbnail";
import { cropOf, extentOf, type Rectangle, widthFor } from "./crop";
import classes from "./Quality.module.css";

interface Props {
  image: NonNullable<ShownFinding["image"]>;
  /** Annotations whose boxes are marked. */
  boxes: readonly ShownFinding["annotation"][];
}

/** The part of an image around the boxes of annotations; the whole image without boxes. */
export function FindingPicture({ image, boxes }: Props) {
  const { width, height } = image;
  const marked = boxes.map((each) => each && rectangleOf(each.bbox));
  const places = marked.filter((each) => each !== null);
  const crop = cropOf(image, places);
  return (
    <div className={classes.picture} style={variablesOf(image, crop, extentOf(image, places))}>
      <div className={classes.image}>
        <Thumbnail imageId={image.id} width={widthFor(image, crop, window.devicePixelRatio)} />
        <svg className={classes.boxes} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
          {marked.map(
            (box, i) =>
              box && (
                <g key={boxes[i]?.id} data-other={i > 0 || undefined}>
                  <rect {...box} className={classes.rim} />
                  <rect {...box} />
                </g>
              ),
          )}
        </svg>
      </div>
    </div>
  );
}

function rectangleOf([x, y, width, height]: readonly [number, number, number, number]): Rectangle {
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/** Returns the variables of the style sheet that place the image so that its part fills the picture. */
const variablesOf = (image: { width: number; height: number }, crop: Rectangle, extent: Rectangle): CSSProperties =>
  ({
    "--width": image.width,
    "--height": image.height,
    "--crop-width": crop.width,
    "--crop-height": crop.height,
    "--middle-x": crop.x + crop.width / 2,
    "--middle-y": crop.y + crop.height / 2,
    "--left": extent.x,
    "--top": extent.y,
    "--right": extent.x + extent.width,
    "--bottom": extent.y + extent.height,
  }) as CSSProperties;
