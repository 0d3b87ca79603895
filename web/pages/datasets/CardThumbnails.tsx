import { Images } from "lucide-react";
import { CARD_THUMBNAILS } from "../../../shared/api/datasets/datasetFigures";
import { Thumbnail } from "../../components/Thumbnail";
import classes from "./DatasetCard.module.css";

interface Props {
  /** Number of images in the dataset. */
  total: number;
  first: number | null;
  /** Undefined until loaded; the first image is shown at once. */
  imageIds: readonly number[] | undefined;
}

/** Up to four thumbnails of a dataset, in a grid that keeps their places while they load. */
export function CardThumbnails({ total, first, imageIds }: Props) {
  const ids = imageIds?.length ? imageIds : first === null ? [] : [first];
  const count = Math.min(total, CARD_THUMBNAILS);
  if (count === 0 || ids.length === 0) return <Images size={36} strokeWidth={1} />;
  return (
    <span className={classes.tiles} data-count={count}>
      {ids.slice(0, count).map((id) => (
        <span key={id} className={classes.tile}>
          <Thumbnail imageId={id} />
        </span>
      ))}
    </span>
  );
}
