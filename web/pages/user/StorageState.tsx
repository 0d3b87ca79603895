import { t } from "@lingui/core/macro";
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatBytes } from "../../components/formatBytes";
import { showSuccess, showWarning } from "../../components/messages/toast";
import { useStorageState } from "./useStorageState";

/** Shows the used and free storage of this browser, and whether the browser may delete data on its own. */
export function StorageState() {
  const { storage, refresh } = useStorageState();
  const [isAsking, setAsking] = useState(false);
  if (storage === undefined) return null;
  if (storage === null)
    return (
      <Text size="sm" c="dimmed">
        {t`This browser does not report how much it stores.`}
      </Text>
    );
  const { used, quota, isProtected } = storage;
  const handleAsk = async () => {
    setAsking(true);
    const isGranted = await navigator.storage.persist().catch(() => false);
    setAsking(false);
    refresh();
    if (isGranted) showSuccess(t`Storage`, t`This browser will not delete Limn's data on its own.`);
    else
      showWarning(
        t`Storage`,
        t`The browser refused. It usually agrees once Limn is installed or bookmarked.`,
        "storage",
      );
  };
  return (
    <Stack gap={6}>
      <Text size="sm">{usageText(formatBytes(used), formatBytes(Math.max(0, quota - used)))}</Text>
      <Progress value={quota > 0 ? (100 * used) / quota : 0} aria-label={t`Storage used`} maw={400} />
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {isProtected
            ? t`Protected: the browser does not delete the data when disk space runs low.`
            : t`Not protected: the browser may delete the data when disk space runs low.`}
        </Text>
        {!isProtected && (
          <Button size="compact-sm" variant="default" loading={isAsking} onClick={() => void handleAsk()}>
            {t`Protect`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const usageText = (used: string, free: string): string => t`${used} used, ${free} free`;
