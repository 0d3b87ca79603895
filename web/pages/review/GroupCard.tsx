import { plural, t } from "@lingui/core/macro";
import { Button, Group, Text } from "@mantine/core";
import { ImageOff } from "lucide-react";
import { useState } from "react";
import { isRepeatedClick } from "../../components/isRepeatedClick";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { Thumbnail } from "../../components/Thumbnail";
import type { Shown } from "../../queries/queryState";
import type { FoundImage } from "../../sync/review/findImage";
import type { ReviewGroup } from "../../sync/review/groups";
import { ChooseImage } from "./ChooseImage";
import classes from "./ReviewPage.module.css";
import type { Choice } from "./useApply";
import type { Target } from "./useTargets";

interface Props {
  group: ReviewGroup;
  /** The image that the group may belong to; `data` is undefined if no image matches. Undefined while unknown. */
  found: Shown<Target | undefined> | undefined;
  isBusy: boolean;
  /** Called with the changes as they were when the user pressed "Apply" or "Another image…". */
  onApply: (choice: Choice) => void;
  onExport: () => void;
  /** Called with the changes as they were when the user pressed "Discard". */
  onDiscard: (discarded: ReviewGroup) => void;
}

/** The changes of one image, with commands to apply, export or discard them. */
export function GroupCard({ group, found, isBusy, onApply, onExport, onDiscard }: Props) {
  const [choosing, setChoosing] = useState<ReviewGroup>();
  const [discarding, setDiscarding] = useState<ReviewGroup>();
  const name = nameOf(group);
  const target = found?.data;
  const handleDiscard = () => {
    setDiscarding(undefined);
    if (discarding) onDiscard(discarding);
  };
  const handleChoice = (image: FoundImage) => {
    setChoosing(undefined);
    if (choosing) onApply({ group: choosing, image });
  };
  const content = contentOf(discarding ?? group);
  return (
    <li className={classes.card} aria-label={name}>
      <div className={classes.thumbnail}>
        {target && <Thumbnail imageId={target.image.id} alt={target.image.path} />}
        {found && !target && <ImageOff size={28} strokeWidth={1.25} />}
      </div>
      <div className={classes.texts}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm">{contentOf(group)}</Text>
        <Text size="sm" c="dimmed">
          {found && targetText(group, target)}
        </Text>
      </div>
      <Group gap="xs">
        {target && (
          <Button
            size="xs"
            disabled={isBusy || found.isStale}
            onClick={(event) => isRepeatedClick(event) || onApply({ group, image: target.image })}
          >
            {target.isSame ? t`Apply here` : applyText(target.image.path)}
          </Button>
        )}
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => setChoosing(group)}>
          {t`Another image…`}
        </Button>
        <Button size="xs" variant="default" onClick={onExport}>
          {t`Export`}
        </Button>
        <Button size="xs" variant="default" color="red" disabled={isBusy} onClick={() => setDiscarding(group)}>
          {t`Discard`}
        </Button>
      </Group>
      {choosing && <ChooseImage onChoose={handleChoice} onClose={() => setChoosing(undefined)} />}
      <ConfirmModal
        opened={discarding !== undefined}
        title={t`Discard these changes?`}
        confirm={t`Discard`}
        isBusy={false}
        onConfirm={handleDiscard}
        onClose={() => setDiscarding(undefined)}
      >
        {t`${name}: ${content}. These changes will be removed from this device and cannot be restored.`}
      </ConfirmModal>
    </li>
  );
}

const applyText = (path: string): string => t`Apply to ${path}`;

const nameOf = ({ place, imageId }: ReviewGroup): string =>
  place ? `${place.dataset}: ${place.path}` : t`Image number ${imageId}`;

function contentOf({ counts: { annotations, deleted, others } }: ReviewGroup): string {
  const parts = [
    annotations > 0 &&
      plural(annotations, { one: "# annotation drawn or changed", other: "# annotations drawn or changed" }),
    deleted > 0 && t`${deleted} deleted`,
    others > 0 &&
      plural(others, {
        one: "# change of labels, metadata or categories",
        other: "# changes of labels, metadata or categories",
      }),
  ];
  return parts.filter(Boolean).join(", ");
}

function targetText({ place, imageId }: ReviewGroup, target: Target | undefined): string {
  if (target?.isSame) return t`The same image exists here.`;
  if (target) {
    const { path, dataset } = target.image;
    return t`The image's name is unknown. Here, image ${imageId} is ${path} in ${dataset}.`;
  }
  if (!place) return t`The image's name is unknown, and no image here has this number.`;
  const { width, height } = place;
  return t`No image here has this name and size (${width} × ${height}), or you do not have access to it.`;
}
