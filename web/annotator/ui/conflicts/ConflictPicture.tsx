import { t } from "@lingui/core/macro";
import { useEffect, useState } from "react";
import type { Keypoint } from "../../../../shared/entities/keypoint";
import type { Bbox, Rings } from "../../../../shared/entities/shape";
import { ringsBounds } from "../../../../shared/geometry/polygons";
import { imageAddress } from "../../../io/images/imageAddress";
import type { Fields, Versions } from "../../../sync/journal/squash";
import classes from "./Conflicts.module.css";

/** Margin around the shapes, as a fraction of their width or height, whichever is larger. */
const MARGIN = 0.35;
/** Minimum size of the shown part of the image, in image pixels. */
const SMALLEST = 48;

interface Props {
  imageId: number;
  /**
   * Width and height of the upright image, in pixels; undefined if the edits were made with an earlier version of Limn.
   */
  size: { width: number; height: number } | undefined;
  versions: Versions;
}

/** The versions of an annotation, drawn over the part of the image that contains them. */
export function ConflictPicture({ imageId, size, versions }: Props) {
  const shapes = { base: shapeOf(versions.base), theirs: shapeOf(versions.theirs), mine: shapeOf(versions.mine) };
  const view = viewOf(Object.values(shapes), size);
  const address = useImageAddress(imageId);
  const points = Math.max(view.width, view.height) / 90;
  return (
    <svg
      className={classes.picture}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      role="img"
      aria-label={t`Your version, the other version and the version before both, drawn over the image`}
    >
      {size && address && <image href={address} width={size.width} height={size.height} />}
      {(["base", "theirs", "mine"] as const).map((kind) => (
        <g key={kind} className={classes[kind]}>
          <path d={pathOf(shapes[kind].rings)} vectorEffect="non-scaling-stroke" />
          {shapes[kind].dots.map(({ x, y }, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the dots of one version never change
            <circle key={number} cx={x} cy={y} r={points} />
          ))}
        </g>
      ))}
    </svg>
  );
}

/** Returns the address to show the image from; undefined until it is known. */
function useImageAddress(imageId: number): string | undefined {
  const [found, setFound] = useState<{ imageId: number; address: string }>();
  useEffect(() => {
    let isGone = false;
    void imageAddress(imageId).then((address) => isGone || setFound({ imageId, address }));
    return () => {
      isGone = true;
    };
  }, [imageId]);
  return found?.imageId === imageId ? found.address : undefined;
}

interface Drawn {
  rings: Rings;
  dots: readonly { x: number; y: number }[];
}

/** Returns the rings and keypoints of a version; for a mask, its bounding box. */
function shapeOf(version: Fields | null): Drawn {
  const rings = (version?.rings as Rings | null | undefined) ?? boxOf(version?.bbox as Bbox | undefined);
  const keypoints = (version?.keypoints as Keypoint[] | null | undefined) ?? [];
  return { rings, dots: keypoints.filter(({ v }) => v > 0) };
}

function boxOf(bbox: Bbox | undefined): Rings {
  if (!bbox || bbox[2] === 0) return [];
  const [x, y, width, height] = bbox;
  return [[[x, y, x + width, y, x + width, y + height, x, y + height]]];
}

const pathOf = (rings: Rings): string => rings.flat().map(ringPath).join("");

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return points.length > 0 ? `M${points.join("L")}Z` : "";
}

/** Returns the part of the image to show: around all shapes, or the whole image if there are none. */
function viewOf(shapes: readonly Drawn[], size: { width: number; height: number } | undefined) {
  const dots = shapes.flatMap((shape) => shape.dots.map(({ x, y }) => [x, y, x, y]));
  const bounds = ringsBounds([...shapes.flatMap(({ rings }) => rings), ...(dots.length > 0 ? [[dots.flat()]] : [])]);
  const isEmpty = shapes.every((shape) => shape.rings.length === 0 && shape.dots.length === 0);
  if (isEmpty) return { x: 0, y: 0, width: size?.width ?? 1, height: size?.height ?? 1 };
  const [x, y, width, height] = bounds;
  const margin = Math.max(MARGIN * Math.max(width, height), (SMALLEST - Math.max(width, height)) / 2);
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}
