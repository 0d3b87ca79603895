import { Button, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { hasTypedText, trackTyping } from "../../components/forms/typedText";
import { commandsOver } from "../../io/http/commands";
import { isUploading } from "../uploads/useUploads";
import classes from "./Notices.module.css";

/**
 * A new version that waits for a press of its button. `onReload` ends the page: that waits for commands on their way,
 * and is asked about where it would lose something.
 */
export function NewVersion({ onReload, onLater }: { onReload: () => void; onLater: () => void }) {
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
    await commandsOver();
    if (isGone.current) return;
    setWaiting(false);
    // Something may have been typed while it waited.
    const since = isAgreed ? undefined : lossText();
    setLost(since);
    if (!since) onReload();
  };
  return (
    <div className={classes.notice}>
      <Text size="sm">
        {lost ?? `A new version is ready.${isWaiting ? " It is loaded as soon as the server has answered." : ""}`}
      </Text>
      <Button size="compact-xs" loading={isWaiting} onClick={() => void reload(lost !== undefined)}>
        {lost ? "Reload all the same" : "Reload now"}
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={onLater}>
        Later
      </Button>
    </div>
  );
}

/** Follows from now on what a new version could lose. Used once, by the shell. */
export function useTypingFollowed(): void {
  useEffect(trackTyping, []);
}

function lossText(): string | undefined {
  if (isUploading()) return "Files are on their way to the server. To reload ends that.";
  return hasTypedText() ? "What you have typed here is not stored yet. To reload loses it." : undefined;
}
