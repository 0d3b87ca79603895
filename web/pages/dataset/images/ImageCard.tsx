import { Checkbox, Group, Text } from "@mantine/core";
import { CheckCheck, CircleCheck, CircleDashed, CloudOff } from "lucide-react";
import { useState } from "react";
import { Link, type LinkProps } from "react-router-dom";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import type { ImageSummary } from "../../../../shared/entities/image";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { showSuccess } from "../../../components/messages/toast";
import { Thumbnail } from "../../../components/Thumbnail";
import { useDeleteImage } from "../../../queries/dataset";
import { useSession } from "../../../queries/session";
import { ImageMenu } from "./ImageMenu";
import classes from "./ImagesTab.module.css";

interface Props {
  image: ImageSummary;
  /** Usernames of the users who have the image open. */
  users: readonly string[];
  datasetId: number;
  /** The list's filter as URL parameters, for the annotator. */
  search: string;
  permissions: DatasetPermissions;
  /** True while this image is from the previous list, and cannot be deleted. */
  isStale: boolean;
  /** True if the image cannot be opened now: the server is away, and this browser lacks the image. */
  isAbsent: boolean;
  isSelected: boolean;
  /** `isRange` selects all images from the last clicked one to this one (Shift). */
  onSelect: (isRange: boolean) => void;
}

/** Card of an image. Its thumbnail links to the annotator. */
export function ImageCard(props: Props) {
  const { image, users, datasetId, search, isAbsent, isSelected, onSelect } = props;
  const [isAsking, setAsking] = useState(false);
  // Most cards never ask. A page has up to a hundred.
  const hasAsked = useOnceTrue(isAsking);
  const remove = useDeleteImage(datasetId);
  const submitDelete = useSubmitOnce(remove, isAsking);
  const me = useSession().user.username;
  const { id, file_name: fileName } = image;
  const others = users.filter((name) => name !== me);
  const to = `/annotate/${id}${search && `?${search}`}`;
  return (
    <article
      className={classes.card}
      aria-label={fileName}
      data-selected={isSelected || undefined}
      data-absent={isAbsent || undefined}
    >
      <Checkbox
        className={classes.tick}
        size="sm"
        checked={isSelected}
        onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
        aria-label={`Select ${fileName}`}
      />
      <ImageLink to={isAbsent ? null : to} className={classes.thumbnail} tabIndex={-1} aria-hidden>
        <Thumbnail imageId={id} />
      </ImageLink>
      <div className={classes.body}>
        <Group gap={2} wrap="nowrap">
          <ImageLink to={isAbsent ? null : to} className={classes.title} title={image.path}>
            {id}. {fileName}
          </ImageLink>
          <ImageMenu {...props} to={to} onDelete={() => setAsking(true)} />
        </Group>
        {isAbsent ? (
          <div className={classes.state}>
            <CloudOff size={13} aria-hidden /> Not available offline
          </div>
        ) : (
          <ImageState image={image} />
        )}
        {others.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            Being annotated by {others.join(", ")}
          </Text>
        )}
      </div>
      {hasAsked && (
        <ConfirmModal
          opened={isAsking}
          title="Delete image"
          confirm="Delete"
          isBusy={remove.isPending}
          isSent={remove.isPending}
          onConfirm={() =>
            submitDelete(
              id,
              () => setAsking(false),
              () => showSuccess("Delete image", `The image “${fileName}” was moved to the trash.`),
            )
          }
          onClose={() => setAsking(false)}
        >
          Delete <b>{fileName}</b> with its annotations? It will be moved to the trash and can be restored from there.
        </ConfirmModal>
      )}
    </article>
  );
}

/** Returns true from the first time on that `value` is true. */
function useOnceTrue(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value);
  if (value && !wasTrue) setWasTrue(true);
  return value || wasTrue;
}

/** Link to the annotator; without `to` only its content. */
function ImageLink({ to, ...props }: Omit<LinkProps, "to"> & { to: string | null }) {
  if (to !== null) return <Link {...props} to={to} />;
  const { className, title, children, "aria-hidden": isHidden } = props;
  return (
    <span className={className} title={title} aria-hidden={isHidden}>
      {children}
    </span>
  );
}

function ImageState({ image }: { image: ImageSummary }) {
  return (
    <div className={classes.state} data-annotated={image.annotated || undefined}>
      {image.annotated ? <CircleCheck size={13} aria-hidden /> : <CircleDashed size={13} aria-hidden />}
      {annotationText(image)}
      {image.done && (
        <span className={classes.done}>
          <CheckCheck size={13} aria-hidden /> Done
        </span>
      )}
    </div>
  );
}

export function annotationText({
  annotated,
  num_annotations: count,
}: Pick<ImageSummary, "annotated" | "num_annotations">) {
  if (count > 0) return `${count} ${count === 1 ? "annotation" : "annotations"}`;
  return annotated ? "Annotated" : "No annotations";
}
