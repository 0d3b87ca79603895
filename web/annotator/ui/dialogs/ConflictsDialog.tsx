import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router-dom";
import { isBarred, isOfMissingImage, subjectsOf } from "../../../sync/journal/syncState";
import { useDocument, useEditor, useSaveState } from "../../editor/context";
import { ConflictsView } from "../conflicts/ConflictsView";

/** Dialog with edits that the server rejected. For each subject, the user decides which version to keep. */
export function ConflictsDialog() {
  const { ui, saving } = useEditor();
  const { conflicts } = useSaveState();
  const categories = useDocument((state) => state.categories);
  const barred = subjectsOf(conflicts).filter(isBarred);
  const isDone = conflicts.length === 0;
  useEffect(() => {
    if (isDone) ui.close();
  }, [isDone, ui]);
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title={t`Conflicts`} size="xl">
      <Stack>
        {barred.some(isOfMissingImage) && (
          <Text size="sm">
            <Trans>
              An image that you drew on is in the trash, or you no longer have access to it. Restore it on the{" "}
              <Anchor component={Link} to="/undo" inherit onClick={() => ui.close()}>
                Undo page
              </Anchor>{" "}
              or ask the owner to share the dataset, then try again.
            </Trans>
          </Text>
        )}
        <ConflictsView
          conflicts={conflicts}
          nameOf={(id) => categories.find((category) => category.id === id)?.name}
          onResolve={(chosen, choice) => saving.resolve(chosen, choice)}
        />
        <Group justify="space-between">
          <Anchor component={Link} to="/conflicts" size="sm" onClick={() => ui.close()}>
            {t`All conflicts by dataset`}
          </Anchor>
          {barred.length > 1 && (
            <Button size="xs" onClick={() => void saving.resolve(barred.flat(), "again")}>
              {t`Try all again`}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
