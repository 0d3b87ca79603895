import { plural, t } from "@lingui/core/macro";
import { Text, VisuallyHidden } from "@mantine/core";
import { CheckCheck, CircleCheck, CircleDashed, CloudOff, Hourglass, MessageSquare, UserRound } from "lucide-react";
import { memo, useState } from "react";
import type { DatasetPermissions } from "../../../../../shared/entities/dataset";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { stageOf } from "../../../../../shared/rules/stages";
import { showError } from "../../../../components/messages/toast";
import { StageBadge } from "../../../../components/stages/StageBadge";
import { Thumbnail } from "../../../../components/Thumbnail";
import { endLease } from "../../../../queries/assignment/leases";
import { useSession } from "../../../../queries/session";
import { annotatorPath } from "./annotatorPath";
import { CardCheckbox } from "./CardCheckbox";
import { CardOutlines } from "./CardOutlines";
import { DeleteImage } from "./DeleteImage";
import classes from "./ImageCard.module.css";
import { ImageLink } from "./ImageLink";
import { ImageMenu } from "./ImageMenu";

interface Props {
  image: ImageSummary;
  /** Usernames of the users who have the image open. */
  users: readonly string[];
  /** Username of the user to whom the image is leased, if the user of this page may know. */
  lessee: string | undefined;
  datasetId: number;
  /** The list's filter as URL parameters, for the annotator. */
  search: string;
  /** The application's address up to the annotator's path. */
  base: string;
  permissions: DatasetPermissions;
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  /** True if the image cannot be opened now: the server is away, and this browser lacks the image. */
  isAbsent: boolean;
  isSelected: boolean;
  onOpen: (imageId: number) => void;
  /** `isRange` selects all images from the last clicked one to this one (Shift). */
  onSelect: (imageId: number, isRange: boolean) => void;
}

/**
 * Card of an image. Its thumbnail links to the annotator. It consists of plain elements, and parts that few cards need
 * are mounted on first use, because each page mounts fifty cards at once.
 */
export const ImageCard = memo(function ImageCard(props: Props) {
  const {
    image,
    users,
    lessee,
    datasetId,
    search,
    base,
    permissions,
    isReviewed,
    isAbsent,
    isSelected,
    onOpen,
    onSelect,
  } = props;
  const [isAsking, setAsking] = useState(false);
  const hasAsked = useOnceTrue(isAsking);
  const me = useSession().user.username;
  const { id, file_name: fileName } = image;
  const others = users.filter((name) => name !== me);
  const names = others.join(", ");
  const path = annotatorPath(id, search);
  const link = { href: isAbsent ? undefined : base + path, onOpen: () => onOpen(id) };
  return (
    <article
      className={classes.card}
      aria-label={fileName}
      data-selected={isSelected || undefined}
      data-absent={isAbsent || undefined}
    >
      <CardCheckbox
        isChecked={isSelected}
        onChange={(isRange) => onSelect(id, isRange)}
        label={t`Select ${fileName}`}
      />
      <ImageLink {...link} className={classes.thumbnail} pictureId={id} isRepeated>
        <Thumbnail imageId={id} />
        <CardOutlines image={image} />
      </ImageLink>
      <div className={classes.body}>
        <div className={classes.head}>
          <ImageLink {...link} className={classes.title} title={image.path} cardId={id}>
            {id}. {fileName}
          </ImageLink>
          <ImageMenu
            image={image}
            permissions={permissions}
            isAbsent={isAbsent}
            path={path}
            onRelease={lessee === undefined ? undefined : () => void endLease(datasetId, id, lessee).catch(showError)}
            onDelete={() => setAsking(true)}
          />
        </div>
        {(image.assignee || lessee) && <Work assignee={image.assignee ?? undefined} lessee={lessee} />}
        {isAbsent ? (
          <div className={classes.state}>
            <CloudOff size={13} aria-hidden /> {t`Not available offline`}
          </div>
        ) : (
          <ImageState image={image} isReviewed={isReviewed} />
        )}
        {others.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {t`Being annotated by ${names}`}
          </Text>
        )}
      </div>
      {hasAsked && (
        <DeleteImage image={image} datasetId={datasetId} isOpen={isAsking} onClose={() => setAsking(false)} />
      )}
    </article>
  );
});

/** Returns true once `value` has been true. */
function useOnceTrue(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value);
  if (value && !wasTrue) setWasTrue(true);
  return value || wasTrue;
}

/** Names of the user to whom an image is assigned, and of the one who has it from the queue. */
function Work({ assignee, lessee }: { assignee: string | undefined; lessee: string | undefined }) {
  return (
    <div className={classes.state}>
      {assignee && (
        <span className={classes.user} title={t`Assigned to ${{ user: assignee }}`}>
          <UserRound size={13} aria-hidden /> {assignee}
        </span>
      )}
      {lessee && (
        <span className={classes.user} title={t`From the queue, with ${{ user: lessee }} for now`}>
          <Hourglass size={13} aria-hidden /> {lessee !== assignee && lessee}
        </span>
      )}
    </div>
  );
}

function ImageState({ image, isReviewed }: { image: ImageSummary; isReviewed: boolean }) {
  const stage = stageOf(image);
  const isMarked = isReviewed ? stage !== "open" : stage === "to_review" || stage === "returned";
  return (
    <div className={classes.state} data-annotated={image.annotated || undefined}>
      {image.annotated ? <CircleCheck size={13} aria-hidden /> : <CircleDashed size={13} aria-hidden />}
      {annotationText(image)}
      {isMarked && (
        <span className={classes.done}>
          <StageBadge stage={stage} />
        </span>
      )}
      {image.done && !isMarked && (
        <span className={classes.done}>
          <CheckCheck size={13} aria-hidden /> {t`Done`}
        </span>
      )}
      {image.open_threads !== undefined && (
        <span className={classes.threads} title={openText(image.open_threads)}>
          <MessageSquare size={13} aria-hidden />
          <span aria-hidden>{image.open_threads}</span>
          <VisuallyHidden>{openText(image.open_threads)}</VisuallyHidden>
        </span>
      )}
    </div>
  );
}

const openText = (count: number): string => plural(count, { one: "# open thread", other: "# open threads" });

export function annotationText({
  annotated,
  num_annotations: count,
}: Pick<ImageSummary, "annotated" | "num_annotations">) {
  if (count > 0) return plural(count, { one: "# annotation", other: "# annotations" });
  return annotated ? t`Annotated` : t`No annotations`;
}
