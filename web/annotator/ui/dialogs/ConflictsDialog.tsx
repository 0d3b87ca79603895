import { Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router-dom";
import { type Draft, isOfMissingImage, subjectsOf } from "../../../sync/journal/syncState";
import { useEditor, useSaveState } from "../../editor/context";

/** Changes that the server did not take over: for each subject the person says what becomes of its own. */
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
        {subjects.map((drafts) => (
          <Conflict key={drafts[0]!.edit.uuid} drafts={drafts} />
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

/** The conflict of one subject, and the choices. */
function Conflict({ drafts }: { drafts: readonly Draft[] }) {
  const { actions } = useEditor();
  const isMissing = isOfMissingImage(drafts);
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {describe(drafts)}
        </Text>
        <Text size="sm" c="dimmed">
          {drafts.at(-1)?.reason}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" onClick={() => void actions.resolve(drafts, isMissing ? "again" : "mine")}>
          {isMissing ? "Try again" : "Keep mine"}
        </Button>
        <Button size="xs" variant="default" onClick={() => void actions.resolve(drafts, "theirs")}>
          {isMissing ? "Discard" : "Keep theirs"}
        </Button>
      </Group>
    </Group>
  );
}

function describe(drafts: readonly Draft[]): string {
  const { edit } = drafts[0]!;
  const fields = isOfMissingImage(drafts) ? [] : [...new Set(drafts.flatMap((draft) => draft.fields))];
  const parts = fields.length > 0 ? `: ${fields.join(", ")}` : "";
  if (edit.subject === "annotation") return `Annotation on image ${edit.image_id}${parts}`;
  return `${edit.subject === "category" ? `Category ${edit.target}` : `Image ${edit.image_id}`}${parts}`;
}
