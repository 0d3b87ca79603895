import { t } from "@lingui/core/macro";
import { Check, Search, Undo2 } from "lucide-react";
import type { ImageSummary } from "../../../shared/entities/image";
import { stageOf } from "../../../shared/rules/stages";
import { stageText } from "../../components/stages/stageTexts";
import { Thumbnail } from "../../components/Thumbnail";
import { LIST_PIECE, useListPiece } from "../../queries/imageList";
import { useAbsentImages } from "../offline/useAbsentImages";
import classes from "./FilmStrip.module.css";
import type { Marks } from "./useMarks";

interface Props {
  datasetId: number;
  list: Record<string, string>;
  /** Number of this piece of the list, from 0. */
  piece: number;
  /** Indices of the images to show, from `from` up to, but not including, `to`. */
  from: number;
  to: number;
  total: number;
  /** The open image. */
  imageId: number;
  /** Index of the image that Tab reaches. */
  inTabOrder: number;
  /** Returns the left edge of an image in the strip, in CSS pixels. */
  leftOf: (index: number) => number;
  marksOf: (image: ImageSummary, loadedAt: number) => Marks;
  onFocus: (index: number) => void;
  onGo: (imageId: number) => void;
}

/** The images of one piece of the list that are in view. */
export function StripPiece({ datasetId, list, piece, from, to, onGo, ...props }: Props) {
  const loaded = useListPiece(datasetId, list, props.total, piece);
  const images = loaded.state === "loaded" ? loaded.data : [];
  const first = piece * LIST_PIECE;
  const indices = Array.from({ length: to - from }, (_, at) => from + at);
  const absent = useAbsentImages(indices.flatMap((index) => images[index - first]?.id ?? []));
  return indices.map((index) => {
    const image = images[index - first];
    return (
      <StripImage
        key={index}
        index={index}
        image={image}
        marks={image && props.marksOf(image, loaded.updatedAt)}
        isAbsent={image !== undefined && absent.has(image.id)}
        isCurrent={image?.id === props.imageId}
        isInTabOrder={index === props.inTabOrder}
        left={props.leftOf(index)}
        total={props.total}
        onFocus={() => props.onFocus(index)}
        onPress={() => image && image.id !== props.imageId && onGo(image.id)}
      />
    );
  });
}

interface ImageProps {
  index: number;
  image: ImageSummary | undefined;
  marks: Marks | undefined;
  isAbsent: boolean;
  isCurrent: boolean;
  isInTabOrder: boolean;
  left: number;
  total: number;
  onFocus: () => void;
  onPress: () => void;
}

function StripImage({ index, image, marks, isAbsent, left, total, ...props }: ImageProps) {
  const stage = marks && stageOf(marks);
  const isSpecial = stage === "to_review" || stage === "returned";
  const states = [
    isSpecial ? stageText(stage) : marks?.done && t`done`,
    marks?.annotated && t`annotated`,
    isAbsent && t`not available offline`,
  ];
  return (
    <button
      type="button"
      className={classes.item}
      style={{ left }}
      data-index={index}
      data-absent={isAbsent || undefined}
      tabIndex={props.isInTabOrder ? 0 : -1}
      aria-current={props.isCurrent ? "true" : undefined}
      aria-label={[t`${{ number: index + 1 }} of ${total}`, ...states.filter(Boolean)].join(", ")}
      title={image?.file_name}
      onFocus={props.onFocus}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onPress}
    >
      <span className={classes.picture}>{image && <Thumbnail imageId={image.id} />}</span>
      {stage === "accepted" && <Check className={classes.done} size={12} strokeWidth={3.5} />}
      {stage === "to_review" && <Search className={classes.done} data-stage={stage} size={12} strokeWidth={3.5} />}
      {stage === "returned" && <Undo2 className={classes.done} data-stage={stage} size={12} strokeWidth={3.5} />}
      {marks?.annotated && stage === "open" && <span className={classes.annotated} />}
      <span className={classes.number}>{index + 1}</span>
    </button>
  );
}
