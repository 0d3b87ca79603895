import { t } from "@lingui/core/macro";
import { Button, Group, Modal, Radio, Stack } from "@mantine/core";
import { useDocument, useEditor } from "../../editor/context";
import { pointOf } from "../../keypoints/model/points";
import { visibilities } from "../../tools/keypoints/visibilities";
import { useCloseIfGone } from "../common/useCloseIfGone";

/** Dialog for the visibility of a keypoint of the selected annotation. A choice takes effect at once. */
export function KeypointDialog({ uuid, label }: { uuid: string; label: number }) {
  const { keypoints, ui } = useEditor();
  const annotation = useDocument((state) => state.annotations.get(uuid));
  const point = annotation && pointOf(annotation, label);
  // Read from the document whenever it changes, because another user may remove the label.
  const name = useDocument(() => keypoints.label(label)?.name);
  useCloseIfGone(!point || name === undefined);
  if (!point || name === undefined) return null;
  const handleDelete = () => {
    keypoints.delete(label);
    ui.close();
  };
  return (
    <Modal opened size="xs" returnFocus={false} onClose={() => ui.close()} title={t`Keypoint ${name}`}>
      <Stack gap="md">
        <Radio.Group
          label={t`Visibility`}
          value={String(point.v)}
          onChange={(value) => keypoints.setVisibility(label, Number(value))}
        >
          <Stack gap={6} mt={6}>
            {visibilities().map(({ value, label: text }) => (
              <Radio key={value} value={value} label={text} data-autofocus={value === String(point.v) || undefined} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="space-between">
          <Button color="red" variant="light" onClick={handleDelete}>
            {t`Delete`}
          </Button>
          <Button onClick={() => ui.close()}>{t`Done`}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
