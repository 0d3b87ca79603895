import { t } from "@lingui/core/macro";
import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import { Download, EllipsisVertical, Hourglass, PenTool, Trash2 } from "lucide-react";
import { useContext, useState } from "react";
import { Link } from "react-router-dom";
import { getImage, getImageCoco } from "../../../../../shared/api/image";
import type { DatasetPermissions } from "../../../../../shared/entities/dataset";
import type { ImageSummary } from "../../../../../shared/entities/image";
import { saveOutput } from "../../../../components/messages/saveOutput";
import { NeedsServer } from "../../../../components/offline/NeedsServer";
import classes from "./ImageCard.module.css";
import { StaleList } from "./staleList";

interface Props {
  image: ImageSummary;
  permissions: DatasetPermissions;
  isAbsent: boolean;
  /** The annotator's path. */
  path: string;
  /** Undefined if the image is not leased. */
  onRelease: (() => void) | undefined;
  onDelete: () => void;
}

/** Classes of a button that looks like Mantine's ActionIcon. */
const BUTTON = `mantine-active mantine-focus-auto ${UnstyledButton.classes.root} ${ActionIcon.classes.root} ${classes.menu}`;

/** Button with the menu of an image. The menu is mounted on first use, because a page has about fifty cards. */
export function ImageMenu(props: Props) {
  const { file_name: name } = props.image;
  const [isMounted, setMounted] = useState(false);
  const button = (
    <button
      type="button"
      className={BUTTON}
      aria-label={t`Menu of ${name}`}
      aria-haspopup="menu"
      onClick={isMounted ? undefined : () => setMounted(true)}
    >
      <EllipsisVertical size={15} />
    </button>
  );
  if (!isMounted) return button;
  return (
    <Menu position="bottom-end" width={260} defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <ImageCommands {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

function ImageCommands({ image: { id, file_name: name }, permissions, isAbsent, path, onRelease, onDelete }: Props) {
  const isStale = useContext(StaleList);
  const handleDownload = () => {
    void saveOutput(getImage, { params: { id }, query: { asAttachment: true } }, name);
    if (permissions.download) void saveOutput(getImageCoco, { params: { id } }, `${name.replace(/\.[^.]*$/, "")}.json`);
  };
  return (
    <>
      <Menu.Item leftSection={<PenTool size={14} />} component={Link} to={path} disabled={isAbsent}>
        {t`Annotate`}
      </Menu.Item>
      <Menu.Item leftSection={<Download size={14} />} onClick={handleDownload} disabled={isAbsent}>
        {permissions.download ? t`Download Image & COCO` : t`Download Image`}
      </Menu.Item>
      {onRelease && (
        <NeedsServer>
          <Menu.Item leftSection={<Hourglass size={14} />} onClick={onRelease}>
            {t`Give Back to the Queue`}
          </Menu.Item>
        </NeedsServer>
      )}
      {permissions.manage && (
        <NeedsServer>
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<Trash2 size={14} />}
            disabled={isStale}
            onClick={onDelete}
          >
            {t`Delete`}
          </Menu.Item>
        </NeedsServer>
      )}
    </>
  );
}
