import { t } from "@lingui/core/macro";
import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { MonitorDown } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { formatBytes } from "../../components/formatBytes";
import { showError, showSuccess } from "../../components/messages/toast";
import { canInstall, installApp, subscribeInstall } from "../../io/installApp";
import type { Copies } from "../../offline/copies";
import type { CopiesState } from "../../offline/copy/copiesState";
import { useCopies } from "../offline/useCopies";
import { CopyTable } from "./CopyTable";
import { StorageState } from "./StorageState";

/** Bytes in a megabyte, as in the sizes shown. */
const MB = 1_000_000;
/** Largest limit that can be entered, in megabytes. */
const MAX_MB = 1_000_000;

/** Settings and size of the data that this browser keeps for offline work. */
export function OfflineSettings() {
  const found = useCopies();
  return (
    <Stack gap="lg" align="stretch">
      <StorageState />
      {found.state === "unavailable" && <Text size="sm">{found.reason}</Text>}
      {found.state === "loaded" && (
        <>
          <CopyTable copies={found.copies} datasets={found.datasets} />
          <RecentLimit key={found.recent.limit} copies={found.copies} recent={found.recent} />
        </>
      )}
      <Install />
    </Stack>
  );
}

/**
 * Field for the limit of images that are kept because they were opened. Its value is stored on blur and on Enter; an
 * empty field shows the stored limit again, because a limit of 0 deletes all of these images.
 */
export function RecentLimit({ copies, recent }: { copies: Copies; recent: CopiesState["recent"] }) {
  const [value, setValue] = useState<number | string>(recent.limit / MB);
  const used = formatBytes(recent.bytes);
  const handleSubmit = (event?: React.FormEvent) => {
    event?.preventDefault();
    const typed = Number.parseFloat(String(value));
    const bytes = Number.isNaN(typed) ? recent.limit : Math.round(typed * MB);
    if (bytes === recent.limit) return setValue(recent.limit / MB);
    const size = formatBytes(bytes);
    copies
      .setRecentLimit(bytes)
      .then(
        () => showSuccess(t`Preferences`, bytes === 0 ? t`Opened images are not kept` : t`Limit set to ${size}`),
        showError,
      );
  };
  return (
    <form onSubmit={handleSubmit}>
      <NumberInput
        label={t`Recently opened images`}
        description={t`Images that you open are kept up to this limit (${used} used). Enter 0 to keep none.`}
        suffix=" MB"
        value={value}
        onChange={setValue}
        onBlur={() => handleSubmit()}
        min={0}
        max={MAX_MB}
        clampBehavior="strict"
        allowNegative={false}
        allowDecimal={false}
        step={100}
        thousandSeparator=","
        maw={400}
      />
    </form>
  );
}

function Install() {
  const isOffered = useSyncExternalStore(subscribeInstall, canInstall);
  if (!isOffered) return null;
  return (
    <Group gap="sm">
      <Button variant="default" leftSection={<MonitorDown size={15} />} onClick={() => void installApp()}>
        {t`Install app`}
      </Button>
      <Text size="sm" c="dimmed">
        {t`Limn gets its own window and icon, and also starts offline.`}
      </Text>
    </Group>
  );
}
