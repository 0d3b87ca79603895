import { ActionIcon, Checkbox, Group, Menu, Text } from "@mantine/core";
import { CheckCheck, CircleCheck, CircleDashed, Download, EllipsisVertical, PenTool, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { getImage, getImageCoco } from "../../../../shared/api/image";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import type { ImageSummary } from "../../../../shared/entities/image";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { Thumbnail } from "../../../components/Thumbnail";
import { download } from "../../../io/http/download";
import { url } from "../../../io/http/request";
import { useDeleteImage } from "../../../queries/dataset";
import { useSession } from "../../../queries/session";
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
  isSelected: boolean;
  /** `isRange` selects all images from the last clicked one to this one (Shift). */
  onSelect: (isRange: boolean) => void;
}

/** Card of an image. Its thumbnail links to the annotator. */
export function ImageCard({ image, users, datasetId, search, permissions, isStale, isSelected, onSelect }: Props) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteImage(datasetId);
  const submitDelete = useSubmitOnce(remove, isAsking);
  const me = useSession().user.username;
  const { id, file_name: fileName } = image;
  const others = users.filter((name) => name !== me);
  const to = `/annotate/${id}${search && `?${search}`}`;
  const handleDownload = () => {
    download(url(getImage, { params: { id }, query: { asAttachment: true } }), fileName);
    if (permissions.download)
      download(url(getImageCoco, { params: { id } }), `${fileName.replace(/\.[^.]*$/, "")}.json`);
  };
  return (
    <article className={classes.card} aria-label={fileName} data-selected={isSelected || undefined}>
      <Checkbox
        className={classes.tick}
        size="sm"
        checked={isSelected}
        onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey === true)}
        aria-label={`Select ${fileName}`}
      />
      <Link to={to} className={classes.thumbnail} tabIndex={-1} aria-hidden>
        <Thumbnail imageId={id} />
      </Link>
      <div className={classes.body}>
        <Group gap={2} wrap="nowrap">
          <Link to={to} className={classes.title} title={image.path}>
            {id}. {fileName}
          </Link>
          <Menu position="bottom-end" width={260}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Menu of ${fileName}`}>
                <EllipsisVertical size={15} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<PenTool size={14} />} component={Link} to={to}>
                Annotate
              </Menu.Item>
              <Menu.Item leftSection={<Download size={14} />} onClick={handleDownload}>
                {permissions.download ? "Download Image & COCO" : "Download Image"}
              </Menu.Item>
              {permissions.delete && (
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<Trash2 size={14} />}
                  disabled={isStale}
                  onClick={() => setAsking(true)}
                >
                  Delete
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
        <div className={classes.state} data-annotated={image.annotated || undefined}>
          {image.annotated ? <CircleCheck size={13} aria-hidden /> : <CircleDashed size={13} aria-hidden />}
          {annotationText(image)}
          {image.done && (
            <span className={classes.done}>
              <CheckCheck size={13} aria-hidden /> Done
            </span>
          )}
        </div>
        {others.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            Being annotated by {others.join(", ")}
          </Text>
        )}
      </div>
      <ConfirmModal
        opened={isAsking}
        title="Delete image"
        confirm="Delete"
        isBusy={remove.isPending}
        isSent={remove.isPending}
        onConfirm={() => submitDelete(id, () => setAsking(false))}
        onClose={() => setAsking(false)}
      >
        Delete <b>{fileName}</b> with its annotations? It will be moved to the trash and can be restored from there.
      </ConfirmModal>
    </article>
  );
}

export function annotationText({
  annotated,
  num_annotations: count,
}: Pick<ImageSummary, "annotated" | "num_annotations">) {
  if (count > 0) return `${count} ${count === 1 ? "annotation" : "annotations"}`;
  return annotated ? "Annotated" : "No annotations";
}
