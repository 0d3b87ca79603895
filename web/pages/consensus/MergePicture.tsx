import { t } from "@lingui/core/macro";
import type { MergedShape } from "../../../shared/agreement/mergeObject";
import type { Keypoint } from "../../../shared/entities/keypoint";
import type { Rings } from "../../../shared/entities/shape";
import { serverImage } from "../../io/images/imageAddress";
import classes from "./Consensus.module.css";
import type { ConsensusView } from "./choices";

interface Props {
  view: ConsensusView;
  colorOf: (annotator: number | null) => string;
  /** Annotators whose shapes are hidden. */
  hidden: ReadonlySet<number | null>;
  /** Shapes that will be written. */
  previews: readonly (MergedShape | undefined)[];
  isPreviewShown: boolean;
  /** Place of the object that stands out. */
  shown: number | undefined;
  onShow: (object: number | undefined) => void;
}

/** The image with the shapes of all annotators in their colours, and with those that will be written. */
export function MergePicture({ view, colorOf, hidden, previews, isPreviewShown, shown, onShow }: Props) {
  const { image, annotations, objects } = view;
  const objectOf = new Map(objects.flatMap((object, i) => object.annotations.map((id) => [id, i] as const)));
  const dot = Math.max(image.width, image.height) / 150;
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${image.width} ${image.height}`}
      role="img"
      aria-label={t`What the annotators have drawn, over the image`}
      data-shown={shown !== undefined || undefined}
    >
      <image href={serverImage(image.id)} width={image.width} height={image.height} />
      {annotations.map(({ id, annotator, rings, keypoints }) => {
        if (hidden.has(annotator)) return null;
        const object = objectOf.get(id);
        return (
          <g
            key={id}
            className={classes.shape}
            data-shown={(object !== undefined && object === shown) || undefined}
            style={{ color: colorOf(annotator) }}
            onPointerEnter={() => onShow(object)}
            onPointerLeave={() => onShow(undefined)}
          >
            <path d={pathOf(rings)} className={classes.rim} />
            <path d={pathOf(rings)} />
            <Dots keypoints={keypoints} radius={dot} />
          </g>
        );
      })}
      {isPreviewShown &&
        previews.map(
          (shape, i) =>
            shape && (
              // biome-ignore lint/suspicious/noArrayIndexKey: objects are known by their places
              <g key={i} className={classes.preview} data-shown={i === shown || undefined}>
                <path d={pathOf(shape.rings)} className={classes.rim} />
                <path d={pathOf(shape.rings)} />
                <Dots keypoints={shape.keypoints ?? []} radius={dot} />
              </g>
            ),
        )}
    </svg>
  );
}

const Dots = ({ keypoints, radius }: { keypoints: readonly Keypoint[]; radius: number }) =>
  keypoints.filter(({ v }) => v > 0).map(({ label, x, y }) => <circle key={label} cx={x} cy={y} r={radius} />);

const pathOf = (rings: Rings): string => rings.flat().map(ringPath).join("");

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return points.length > 0 ? `M${points.join("L")}Z` : "";
}
