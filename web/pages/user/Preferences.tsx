import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Button, type MantineColorScheme, SegmentedControl, Stack, Text, useMantineColorScheme } from "@mantine/core";
import { useState } from "react";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { LanguageSelect } from "../../components/language/LanguageSelect";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import type { Owner } from "../../io/journal/journalName";
import { i18n } from "../../languages/i18n";
import { useResetPreferences } from "../../queries/session";
import { forgetUnsent } from "./forgetUnsent";
import classes from "./UserPage.module.css";

const SCHEMES: { value: MantineColorScheme; label: MessageDescriptor }[] = [
  { value: "auto", label: msg`System` },
  { value: "light", label: msg`Light` },
  { value: "dark", label: msg`Dark` },
];

/** Language and colour scheme of this browser, and the reset of tool options and shortcuts. */
export function Preferences({ owner }: { owner: Owner }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [isAsking, setAsking] = useState(false);
  const reset = useResetPreferences(() => forgetUnsent(owner));
  const submit = useSubmitOnce(reset, isAsking);
  const showDone = () => showSuccess(t`Preferences`, t`Tools and shortcuts were reset`);
  const handleDone = () => {
    showDone();
    setAsking(false);
  };
  const handleReset = () => submit(undefined, handleDone, showDone);
  return (
    <Stack gap="md" align="flex-start">
      <div className={classes.fields}>
        <Text size="sm" id="language">
          {t`Language`}
        </Text>
        <LanguageSelect labelId="language" />
        <Text size="sm" id="colours">
          {t`Colours`}
        </Text>
        <SegmentedControl
          aria-labelledby="colours"
          size="xs"
          data={SCHEMES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </div>
      <div>
        <Text size="sm" c="dimmed" mb={6}>
          {t`The annotator remembers each tool's options, the simplification tolerance, and the keys you have chosen.`}
        </Text>
        <NeedsServer>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t`Reset Tool Settings`}
          </Button>
        </NeedsServer>
      </div>
      <ConfirmModal
        opened={isAsking}
        title={t`Reset tool settings?`}
        confirm={t`Reset`}
        isBusy={reset.isPending}
        isSent={reset.isPending}
        onConfirm={handleReset}
        onClose={() => setAsking(false)}
      >
        {t`Tool options and keyboard shortcuts return to their defaults. Your annotations are not affected.`}
      </ConfirmModal>
    </Stack>
  );
}
