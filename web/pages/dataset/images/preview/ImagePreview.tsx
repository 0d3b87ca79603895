import { Portal } from "@mantine/core";
import { useState } from "react";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { Thumbnail } from "../../../../components/Thumbnail";
import { scaledAddress } from "../../../../io/images/imageAddress";
import { useOutlines } from "../../../../queries/dataset";
import { shownOf } from "../../../../queries/queryState";
import { CardOutlines, ShownOutlines } from "../card/CardOutlines";
import classes from "./ImagePreview.module.css";
import { placeOf } from "./placeOf";
import type { Preview } from "./usePreview";

/** Largest side of a preview, in CSS pixels. */
const MOST = 520;
/** Width of the picture to request, in pixels: that of its place on most screens. */
const PICTURE_WIDTH = 720;

interface Props {
  preview: Preview;
  image: ImageSummary;
  datasetId: number;
  categories: readonly { id: number; name: string; color: string }[];
}

/**
 * A larger picture of an image beside its card, with its outlines and the names of their categories. It takes no
 * clicks, so that it is never in the way.
 */
export function ImagePreview({ preview, image, datasetId, categories }: Props) {
  const outlines = shownOf(useOutlines(datasetId, [image.id]))?.data;
  const [isLoaded, setLoaded] = useState(false);
  const screen = { width: window.innerWidth, height: window.innerHeight };
  const { left, top, width, height } = placeOf(preview.card, image, screen, MOST);
  const paths = outlines?.images.get(image.id)?.paths ?? [];
  const named = categories.filter(({ id }) => paths.some(({ category }) => category === id));
  return (
    <Portal>
      <div className={classes.preview} style={{ left, top, width }} role="tooltip" data-loaded={isLoaded || undefined}>
        <div className={classes.picture} style={{ height }}>
          <Thumbnail imageId={image.id} />
          <img
            className={classes.large}
            src={scaledAddress(image.id, PICTURE_WIDTH)}
            alt=""
            onLoad={() => setLoaded(true)}
          />
          <ShownOutlines value={outlines}>
            <CardOutlines image={image} />
          </ShownOutlines>
        </div>
        <div className={classes.text}>
          <span className={classes.name}>{image.file_name}</span>
          <span className={classes.size}>
            {image.width} × {image.height}
          </span>
        </div>
        {named.length > 0 && (
          <div className={classes.legend}>
            {named.map(({ id, name, color }) => (
              <span key={id} className={classes.category}>
                <span className={classes.dot} style={{ background: color }} />
                {name}
              </span>
            ))}
          </div>
        )}
      </div>
    </Portal>
  );
}
