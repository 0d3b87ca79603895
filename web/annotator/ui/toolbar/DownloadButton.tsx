import { plural, t } from "@lingui/core/macro";
import { Download } from "lucide-react";
import { useState } from "react";
import { showError, showWarning } from "../../../components/messages/toast";
import { useDocument, useEditor } from "../../editor/context";
import { BarButton } from "./BarButton";
import { downloadImage } from "./downloadImage";

/** Button that downloads the image and, for users with the permission, its COCO file. */
export function DownloadButton() {
  const editor = useEditor();
  const withCoco = useDocument((state) => state.permissions.image.download);
  const [isBusy, setBusy] = useState(false);
  const handleClick = async () => {
    setBusy(true);
    try {
      const missing = await downloadImage(editor);
      if (missing > 0)
        showWarning(
          t`Downloading Image`,
          plural(missing, {
            one: "# change is not on the server yet, and therefore not in the COCO file.",
            other: "# changes are not on the server yet, and therefore not in the COCO file.",
          }),
        );
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <BarButton
      label={withCoco ? t`Download Image & COCO` : t`Download Image`}
      icon={Download}
      disabled={isBusy}
      onClick={() => void handleClick()}
    />
  );
}
