import {
  Button,
  Group,
  type MantineColorScheme,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { useState } from "react";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { LanguageSelect } from "../../components/LanguageSelect";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import type { Owner } from "../../io/journal/journalName";
import { useResetPreferences } from "../../queries/session";
import { forgetUnsent } from "./forgetUnsent";

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "auto", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** Language and colour scheme of this browser, and the reset of tool options and shortcuts. */
export function Preferences({ owner }: { owner: Owner }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [isAsking, setAsking] = useState(false);
  const reset = useResetPreferences(() => forgetUnsent(owner));
  const submit = useSubmitOnce(reset, isAsking);
  const showDone = () => showSuccess("Preferences", "Tools and shortcuts were reset");
  const handleDone = () => {
    showDone();
    setAsking(false);
  };
  const handleReset = () => submit(undefined, handleDone, showDone);
  return (
    <Stack gap="md" align="flex-start">
      <LanguageSelect />
      <Group gap="sm">
        <Text size="sm" id="colours">
          Colours
        </Text>
        <SegmentedControl
          aria-labelledby="colours"
          size="xs"
          data={SCHEMES}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </Group>
      <div>
        <Text size="sm" c="dimmed" mb={6}>
          The annotator remembers each tool's options, the simplification tolerance, and the keys you have chosen.
        </Text>
        <NeedsServer>
          <Button variant="default" onClick={() => setAsking(true)}>
            Reset Tool Settings
          </Button>
        </NeedsServer>
      </div>
      <ConfirmModal
        opened={isAsking}
        title="Reset tool settings?"
        confirm="Reset"
        isBusy={reset.isPending}
        isSent={reset.isPending}
        onConfirm={handleReset}
        onClose={() => setAsking(false)}
      >
        Tool options and keyboard shortcuts return to their defaults. Your annotations are not affected.
      </ConfirmModal>
    </Stack>
  );
}
