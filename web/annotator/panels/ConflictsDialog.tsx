import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import type { Draft } from "../../sync/syncState";
import { useEditor, useSaveState } from "../context";

/** Changes that the server did not take over: for each the person says which version stays. */
export function ConflictsDialog() {
  const { ui, actions } = useEditor();
  const { conflicts } = useSaveState();
  const isDone = conflicts.length === 0;
  useEffect(() => {
    if (isDone) ui.close();
  }, [isDone, ui]);
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title="Conflicts" size="lg">
      <Stack>
        {conflicts.map((draft) => (
          <Group key={draft.edit.uuid} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={600}>
                {describe(draft)}
              </Text>
              <Text size="sm" c="dimmed">
                {draft.reason}
              </Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              <Button size="xs" onClick={() => void actions.resolve(draft, "mine")}>
                Keep mine
              </Button>
              <Button size="xs" variant="default" onClick={() => void actions.resolve(draft, "theirs")}>
                Keep theirs
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}

function describe({ edit, fields }: Draft): string {
  const parts = fields.length > 0 ? `: ${fields.join(", ")}` : "";
  if (edit.subject === "annotation") return `Annotation on picture ${edit.image_id}${parts}`;
  return `${edit.subject === "category" ? `Category ${edit.target}` : `Picture ${edit.image_id}`}${parts}`;
}
