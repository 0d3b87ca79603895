import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, CloseButton, Group, Text } from "@mantine/core";
import { CheckCheck, FolderInput, type LucideIcon, Scale, Shapes, Tags, Trash2, Undo2, UserPlus } from "lucide-react";
import type { Dispatch, SetStateAction } from "react";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import { ConfirmModal } from "../../../components/messages/ConfirmModal";
import { LoadErrorLine } from "../../../components/messages/LoadError";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { numberText } from "../../../languages/formats";
import type { BulkCommand } from "../../../queries/bulk";
import { BulkAssign } from "./BulkAssign";
import { BulkLabels } from "./BulkLabels";
import { BulkMove } from "./BulkMove";
import { BulkStage } from "./BulkStage";
import { GiveImages } from "./give/GiveImages";
import classes from "./ImagesTab.module.css";
import { imagesText } from "./imagesText";
import { OutlineBoxes } from "./OutlineBoxes";
import { TotalChanged } from "./TotalChanged";
import { type SeenImages, useBulkCommands } from "./useBulkCommands";
import type { SelectedImages } from "./useSelectedImages";

interface Props {
  datasetId: number;
  /** The open folder. */
  folder: string;
  selected: SelectedImages;
  /** Number of images that match the filter. */
  total: number;
  categories: { id: number; name: string }[];
  permissions: DatasetPermissions;
  /** True if the dataset asks for review. */
  isReviewed: boolean;
  /** Usernames of the owner and of the members who may annotate. */
  members: readonly string[];
  /** Held by the tab, which keeps the bar mounted while a dialog is open, also if nothing is selected any more. */
  dialog: BulkDialog | undefined;
  onDialog: Dispatch<SetStateAction<BulkDialog | undefined>>;
}

/** An open dialog, with the images that it was opened for; it is not affected by later changes of the selection. */
export interface BulkDialog {
  what: "delete" | "move" | "label" | "outline" | "assign" | "give";
  seen: SeenImages;
}

/** Toolbar with commands for the selected images. Disabled while it is not known which images they are. */
export function BulkBar({ datasetId, folder, selected, total, categories, permissions, ...props }: Props) {
  const { isReviewed, members, dialog, onDialog } = props;
  const bulk = useBulkCommands(datasetId, selected, (of) => onDialog((open) => (open?.seen === of ? undefined : open)));
  const { seen, failed } = bulk;
  const pending = bulk.pendingOf(seen);
  const close = () => onDialog(undefined);
  const mark = (done: boolean) => () => seen && bulk.send({ what: "mark", done }, seen);
  const ask = (what: BulkDialog["what"]) => () => seen && onDialog({ what, seen });
  const button = (Icon: LucideIcon) => ({
    size: "compact-sm",
    variant: "default",
    leftSection: <Icon size={14} />,
    // Only one command at a time: its end clears the selection, which would close the dialog of a second command.
    disabled: !seen || pending !== undefined,
  });
  const form = (what: BulkDialog["what"]) => ({
    opened: dialog?.what === what,
    images: imagesText(dialog?.seen.count ?? selected.count),
    isBusy: bulk.pendingOf(dialog?.seen)?.what === what,
    onClose: close,
  });
  const [images, all] = [imagesText(selected.count), numberText(total)];
  const send = (command: BulkCommand) => dialog && bulk.send(command, dialog.seen);
  return (
    <div className={classes.barPlace}>
      <div
        className={classes.bar}
        role="toolbar"
        aria-label={t`Selected images`}
        aria-busy={!seen && !failed}
        hidden={selected.count === 0}
      >
        <Text size="sm" fw={600} aria-live="polite">
          {t`${images} selected`}
        </Text>
        {selected.count < total && (
          <Button variant="subtle" size="compact-sm" disabled={!selected.shown} onClick={selected.selectAll}>
            {t`Select all ${all}`}
          </Button>
        )}
        {failed && <LoadErrorLine error={failed.error} onRetry={() => void failed.retry()} />}
        <Group gap={6} className={classes.barActions}>
          {permissions.edit && (
            <>
              {isReviewed ? (
                <BulkStage
                  button={{ ...button(CheckCheck), loading: pending?.what === "mark" }}
                  mayReview={permissions.review}
                  onChoose={(command) => seen && bulk.send(command, seen)}
                />
              ) : (
                <>
                  <NeedsServer>
                    <Button
                      {...button(CheckCheck)}
                      loading={pending?.what === "mark" && "done" in pending && pending.done}
                      onClick={mark(true)}
                    >
                      {t`Done`}
                    </Button>
                  </NeedsServer>
                  <NeedsServer>
                    <Button {...button(Undo2)} onClick={mark(false)}>
                      {t`Not done`}
                    </Button>
                  </NeedsServer>
                </>
              )}
              <NeedsServer>
                <Button {...button(Tags)} onClick={ask("label")}>
                  {t({ message: "Label", context: "verb" })}
                </Button>
              </NeedsServer>
              <NeedsServer>
                <Button {...button(FolderInput)} onClick={ask("move")}>
                  {t`Move`}
                </Button>
              </NeedsServer>
              <NeedsServer>
                <Button {...button(Shapes)} onClick={ask("outline")}>
                  {t`Outline boxes`}
                </Button>
              </NeedsServer>
            </>
          )}
          {permissions.manage && members.length > 1 && (
            <NeedsServer>
              <Button {...button(UserPlus)} onClick={ask("assign")}>
                {t`Assign`}
              </Button>
            </NeedsServer>
          )}
          {permissions.manage && members.length > 1 && (
            <NeedsServer>
              <Button {...button(Scale)} onClick={ask("give")}>
                {t`Give to several users`}
              </Button>
            </NeedsServer>
          )}
          {permissions.manage && (
            <NeedsServer>
              <Button {...button(Trash2)} color="red" variant="light" onClick={ask("delete")}>
                {t`Delete`}
              </Button>
            </NeedsServer>
          )}
        </Group>
        <CloseButton
          size="sm"
          onClick={selected.clear}
          aria-label={t`Clear the selection`}
          className={classes.barClose}
        />
      </div>
      <BulkLabels {...form("label")} categories={categories} onApply={(labels) => send({ what: "label", ...labels })} />
      <BulkAssign {...form("assign")} members={members} onAssign={(users) => send({ what: "assign", users })} />
      <BulkMove {...form("move")} folder={folder} onMove={(to) => send({ what: "move", folder: to })} />
      {dialog?.what === "outline" && (
        <OutlineBoxes
          datasetId={datasetId}
          which={dialog.seen.whichNow}
          images={imagesText(dialog.seen.count)}
          categories={categories}
          onStarted={() => {
            selected.forget(dialog.seen.selected);
            close();
          }}
          onClose={close}
        />
      )}
      {dialog?.what === "give" && (
        <GiveImages
          datasetId={datasetId}
          which={dialog.seen.whichNow}
          images={imagesText(dialog.seen.count)}
          onStarted={() => {
            selected.forget(dialog.seen.selected);
            close();
          }}
          onClose={close}
        />
      )}
      <ConfirmModal
        {...form("delete")}
        title={t`Delete images`}
        confirm={t`Delete`}
        onConfirm={() => send({ what: "delete" })}
      >
        <Trans>
          Delete <b>{form("delete").images}</b> with their annotations? They will be moved to the trash and can be
          restored from there.
        </Trans>
      </ConfirmModal>
      <TotalChanged refused={bulk.refused} onConfirm={bulk.sendAgain} onClose={bulk.giveUp} />
    </div>
  );
}
