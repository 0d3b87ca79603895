import { t } from "@lingui/core/macro";
import { createContext, memo, useContext } from "react";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { outlineScale } from "../../../../../shared/outlines/ringPath";
import { numberText } from "../../../../languages/formats";
import type { PageOutlines } from "../../../../queries/dataset";
import classes from "./CardOutlines.module.css";

/**
 * The outlines of the shown page; undefined while there are none. A context, because outlines in a property would
 * render all cards again on arrival.
 */
export const ShownOutlines = createContext<PageOutlines | undefined>(undefined);

type OutlinedImage = Pick<ImageSummary, "id" | "width" | "height" | "num_annotations">;

/** The outlines of an image's annotations over its thumbnail, in the colours of their categories. */
export function CardOutlines({ image }: { image: OutlinedImage }) {
  const shown = useContext(ShownOutlines);
  const outlines = shown?.images.get(image.id);
  if (!shown || !outlines) return null;
  const { paths, omitted } = outlines;
  const [outlined, total] = [numberText(image.num_annotations - omitted), numberText(image.num_annotations)];
  return (
    <>
      {paths.length > 0 && <Drawing {...drawingSize(image)} paths={paths} colors={shown.colors} />}
      {omitted > 0 && <span className={classes.omitted}>{t`${outlined} of ${total} outlined`}</span>}
    </>
  );
}

function drawingSize({ width, height }: OutlinedImage) {
  const scale = outlineScale(width, height);
  return { width: width * scale, height: height * scale };
}

interface Props {
  width: number;
  height: number;
  paths: readonly { category: number; path: string }[];
  colors: ReadonlyMap<number, string>;
}

const Drawing = memo(function Drawing({ width, height, paths, colors }: Props) {
  return (
    <svg className={classes.outlines} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <path className={classes.rim} d={paths.map(({ path }) => path).join("")} />
      {paths.map(({ category, path }) => (
        <path key={category} d={path} color={colors.get(category) ?? "#888888"} />
      ))}
    </svg>
  );
});
