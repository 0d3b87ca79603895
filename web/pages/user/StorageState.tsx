import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatBytes } from "../../components/formatBytes";
import { showSuccess, showWarning } from "../../components/messages/toast";
import { useStorageState } from "./useStorageState";

/** Shows the room used and free in this browser, and whether it may delete data by itself. */
export function StorageState() {
  const { storage, refresh } = useStorageState();
  const [isAsking, setAsking] = useState(false);
  if (storage === undefined) return null;
  if (storage === null)
    return (
      <Text size="sm" c="dimmed">
        This browser does not say how much it stores.
      </Text>
    );
  const { used, quota, isProtected } = storage;
  const handleAsk = async () => {
    setAsking(true);
    const isGranted = await navigator.storage.persist().catch(() => false);
    setAsking(false);
    refresh();
    if (isGranted) showSuccess("Storage", "This browser will not delete Limn's data by itself.");
    else
      showWarning("Storage", "The browser refused. It usually agrees once Limn is installed or bookmarked.", "storage");
  };
  return (
    <Stack gap={6}>
      <Text size="sm">
        {formatBytes(used)} used, {formatBytes(Math.max(0, quota - used))} free
      </Text>
      <Progress value={quota > 0 ? (100 * used) / quota : 0} aria-label="Storage used" maw={400} />
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {isProtected
            ? "Protected: the browser does not delete it when disk space runs low."
            : "Not protected: the browser may delete it when disk space runs low."}
        </Text>
        {!isProtected && (
          <Button size="compact-sm" variant="default" loading={isAsking} onClick={() => void handleAsk()}>
            Protect
          </Button>
        )}
      </Group>
    </Stack>
  );
}
