import { ActionIcon, Menu } from "@mantine/core";
import { Download, EllipsisVertical, PenTool, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { getImage, getImageCoco } from "../../../../shared/api/image";
import type { DatasetPermissions } from "../../../../shared/entities/dataset";
import type { ImageSummary } from "../../../../shared/entities/image";
import { saveOutput } from "../../../components/messages/saveOutput";
import { NeedsServer } from "../../../components/offline/NeedsServer";

interface Props {
  image: ImageSummary;
  permissions: DatasetPermissions;
  isStale: boolean;
  isAbsent: boolean;
  /** The annotator's path. */
  to: string;
  onDelete: () => void;
}

/** Button with the menu of an image. The menu is mounted on first use: a page has up to a hundred of them. */
export function ImageMenu(props: Props) {
  const [isMounted, setMounted] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={`Menu of ${props.image.file_name}`}
      aria-haspopup="menu"
      onClick={isMounted ? undefined : () => setMounted(true)}
    >
      <EllipsisVertical size={15} />
    </ActionIcon>
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

function ImageCommands({ image: { id, file_name: name }, permissions, isStale, isAbsent, to, onDelete }: Props) {
  const handleDownload = () => {
    void saveOutput(getImage, { params: { id }, query: { asAttachment: true } }, name);
    if (permissions.download) void saveOutput(getImageCoco, { params: { id } }, `${name.replace(/\.[^.]*$/, "")}.json`);
  };
  return (
    <>
      <Menu.Item leftSection={<PenTool size={14} />} component={Link} to={to} disabled={isAbsent}>
        Annotate
      </Menu.Item>
      <Menu.Item leftSection={<Download size={14} />} onClick={handleDownload} disabled={isAbsent}>
        {permissions.download ? "Download Image & COCO" : "Download Image"}
      </Menu.Item>
      {permissions.delete && (
        <NeedsServer>
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<Trash2 size={14} />}
            disabled={isStale}
            onClick={onDelete}
          >
            Delete
          </Menu.Item>
        </NeedsServer>
      )}
    </>
  );
}
