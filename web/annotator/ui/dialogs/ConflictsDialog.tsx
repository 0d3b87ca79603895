import { Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router-dom";
import { type Conflict, isOfMissingImage, subjectsOf } from "../../../sync/journal/syncState";
import { useEditor, useSaveState } from "../../editor/context";

/** Dialog with edits that the server rejected. For each subject, the user decides which version to keep. */
export function ConflictsDialog() {
  const { ui, actions } = useEditor();
  const { conflicts } = useSaveState();
  const subjects = subjectsOf(conflicts);
  const missing = subjects.filter(isOfMissingImage);
  const isDone = conflicts.length === 0;
  useEffect(() => {
    if (isDone) ui.close();
  }, [isDone, ui]);
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title="Conflicts" size="lg">
      <Stack>
        {missing.length > 0 && (
          <Text size="sm">
            An image you drew on is in the trash, or you may no longer see it. Restore it on the{" "}
            <Anchor component={Link} to="/undo" inherit onClick={() => ui.close()}>
              Undo page
            </Anchor>{" "}
            or ask the owner to share the dataset, then try again.
          </Text>
        )}
        {subjects.map((ofSubject) => (
          <ConflictRow key={ofSubject[0]!.edit.uuid} conflicts={ofSubject} />
        ))}
        {missing.length > 1 && (
          <Group justify="flex-end">
            <Button size="xs" onClick={() => void actions.resolve(missing.flat(), "again")}>
              Try all again
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

/** The conflicts of one subject, with buttons for the decision. */
function ConflictRow({ conflicts }: { conflicts: readonly Conflict[] }) {
  const { actions } = useEditor();
  const isMissing = isOfMissingImage(conflicts);
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {describe(conflicts)}
        </Text>
        <Text size="sm" c="dimmed">
          {conflicts.at(-1)?.reason}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" onClick={() => void actions.resolve(conflicts, isMissing ? "again" : "mine")}>
          {isMissing ? "Try again" : "Keep mine"}
        </Button>
        <Button size="xs" variant="default" onClick={() => void actions.resolve(conflicts, "theirs")}>
          {isMissing ? "Discard" : "Keep theirs"}
        </Button>
      </Group>
    </Group>
  );
}

function describe(conflicts: readonly Conflict[]): string {
  const { edit } = conflicts[0]!;
  const fields = isOfMissingImage(conflicts) ? [] : [...new Set(conflicts.flatMap(({ fields }) => fields))];
  const parts = fields.length > 0 ? `: ${fields.join(", ")}` : "";
  if (edit.subject === "annotation") return `Annotation on image ${edit.image_id}${parts}`;
  return `${edit.subject === "category" ? `Category ${edit.target}` : `Image ${edit.image_id}`}${parts}`;
}
