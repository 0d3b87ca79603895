import { t } from "@lingui/core/macro";
import { Button, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { hasTypedText } from "../../../components/forms/typedText";
import { isRepeatedClick } from "../../../components/isRepeatedClick";
import { waitForCommands } from "../../../io/http/commands";
import { isUploading } from "../../uploads/useUploads";
import classes from "./Notices.module.css";

interface Props {
  /** True while images are being downloaded for work offline. */
  isDownloading: boolean;
  onReload: () => void;
  onLater: () => void;
}

/**
 * Notice that a new version is ready, with a button to load it. `onReload` reloads the page. It is called only after
 * pending commands have finished, and after a confirmation if uploads or typed text would be lost.
 */
export function NewVersion({ isDownloading, onReload, onLater }: Props) {
  const [isWaiting, setWaiting] = useState(false);
  const [lost, setLost] = useState<string>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const reload = async (isAgreed: boolean) => {
    const found = isAgreed ? undefined : lossText();
    setLost(found);
    if (found) return;
    setWaiting(true);
    await waitForCommands();
    if (isGone.current) return;
    setWaiting(false);
    // The user may have typed something while the page waited.
    const since = isAgreed ? undefined : lossText();
    setLost(since);
    if (!since) onReload();
  };
  return (
    <div className={classes.notice}>
      <Text size="sm">
        {lost ?? t`A new version is ready.`}
        {!lost && isWaiting && ` ${t`It will load as soon as the server has responded.`}`}
        {isDownloading && ` ${t`The download for offline use continues after the reload.`}`}
      </Text>
      <Button
        size="compact-xs"
        loading={isWaiting} // "Reload anyway" takes the place of "Reload now".
        onClick={(event) => isRepeatedClick(event) || void reload(lost !== undefined)}
        onKeyDown={(event) => event.repeat && event.preventDefault()}
      >
        {lost ? t`Reload anyway` : t`Reload now`}
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={onLater}>
        {t`Later`}
      </Button>
    </div>
  );
}

function lossText(): string | undefined {
  if (isUploading()) return t`Files are still being uploaded. Reloading stops the upload.`;
  return hasTypedText() ? t`What you have typed is not saved yet and will be lost if you reload.` : undefined;
}
