import { plural, t } from "@lingui/core/macro";
import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { Download, Ellipsis, History, Settings, Trash2 } from "lucide-react";
import { useState } from "react";
import { showError, showWarning } from "../../../components/messages/toast";
import { useIsAway } from "../../../components/offline/away";
import { needsServer } from "../../../components/offline/NeedsServer";
import { useDocument, useEditor } from "../../editor/context";
import { downloadImage } from "./downloadImage";

/**
 * Menu of the image: its settings, history, download (for users with the permission, with its COCO file) and deletion,
 * which is absent for users who may not delete it.
 */
export function ImageMenu() {
  const editor = useEditor();
  const { image } = useDocument((state) => state.permissions);
  const isAway = useIsAway();
  const [isBusy, setBusy] = useState(false);
  const handleDownload = async () => {
    setBusy(true);
    try {
      warnOfMissing(await downloadImage(editor));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="right-end" shadow="md" width={260} withinPortal onClose={() => editor.focus()} returnFocus={false}>
      <Menu.Target>
        <Tooltip label={t`Image Menu`} position="right" openDelay={300}>
          <ActionIcon size="var(--bar-button)" variant="subtle" color="gray" aria-label={t`Image Menu`}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Settings size={16} />} onClick={() => editor.ui.open({ kind: "image settings" })}>
          {t`Image Settings`}
        </Menu.Item>
        <Menu.Item leftSection={<History size={16} />} onClick={() => editor.past.toggle()}>
          {t`History of the Image`}
        </Menu.Item>
        <Menu.Item leftSection={<Download size={16} />} disabled={isBusy} onClick={() => void handleDownload()}>
          {image.download ? t`Download Image & COCO` : t`Download Image`}
        </Menu.Item>
        {image.delete && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={16} />}
              aria-disabled={isAway || undefined}
              data-disabled={isAway || undefined}
              aria-description={isAway ? needsServer() : undefined}
              title={isAway ? needsServer() : undefined}
              onClick={() => !isAway && editor.ui.open({ kind: "delete image" })}
            >
              {t`Delete Image`}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function warnOfMissing(missing: number): void {
  if (missing === 0) return;
  showWarning(
    t`Downloading Image`,
    plural(missing, {
      one: "# change is not on the server yet, and therefore not in the COCO file.",
      other: "# changes are not on the server yet, and therefore not in the COCO file.",
    }),
  );
}
