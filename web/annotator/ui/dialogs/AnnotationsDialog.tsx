import { plural, t } from "@lingui/core/macro";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { isColor } from "../../../../shared/color/hex";
import { movedInto } from "../../../../shared/rules/attributeValues";
import { type MetadataRow, metadataProblems } from "../../../../shared/rules/metadataValue";
import { ColorField } from "../../../components/forms/ColorField";
import { MetadataFields } from "../../../components/forms/MetadataFields";
import { SearchSelect } from "../../../components/forms/SearchSelect";
import { SHOWN_AT_MOST } from "../../../components/tags/manyTags";
import { counted } from "../../document/stepNames";
import { useDocument, useEditor, useLocks, useSelection } from "../../editor/context";
import { useCloseIfGone } from "../common/useCloseIfGone";
import { NAME_KEY } from "./annotationForm";
import { changeOfAll, sharedCategory } from "./annotationsForm";

/** Dialog for colour, category and metadata of all selected annotations. Changes are applied as one undo step. */
export function AnnotationsDialog() {
  const { commands, layers, selected, selecting, ui } = useEditor();
  const count = useSelection(({ all }) => all.size);
  const locked = useLocks((state) => selecting.annotations.filter(({ uuid }) => state.locked.has(uuid)).length);
  const categories = useDocument((state) => state.categories);
  const [before] = useState(() => sharedCategory(selecting.annotations));
  const [categoryId, setCategoryId] = useState(before);
  const [color, setColor] = useState("");
  const [rows, setRows] = useState<MetadataRow[]>([]);
  useCloseIfGone(count === 0);
  const isColored = color !== "";
  const isValid = (!isColored || isColor(color)) && metadataProblems(rows, [NAME_KEY]).size === 0;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    const category = categoryId === before ? undefined : categories.find(({ id }) => id === categoryId);
    if (category) {
      commands.rememberCategory(category.id);
      layers.expand(category.id, true);
    }
    selected.change((annotation) => {
      const change = changeOfAll({ color, categoryId: category?.id ?? null, rows }, annotation);
      return { ...change, ...(category && movedInto(annotation, category)) };
    }, t`Change`);
    ui.close();
  };
  const handleDelete = () => {
    selected.delete();
    ui.close();
  };
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={() => ui.close()}
      closeOnClickOutside={!isColored && rows.length === 0 && categoryId === before}
      title={counted(count)}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          {locked > 0 && (
            <Text size="sm" c="dimmed">
              {plural(locked, {
                one: "# annotation is locked and does not change.",
                other: "# annotations are locked and do not change.",
              })}
            </Text>
          )}
          <Group grow align="start">
            <ColorField
              label={t`Color`}
              placeholder={t`Leave unchanged`}
              value={color}
              error={isColored && !isColor(color) && t`Invalid HEX color.`}
              onChange={setColor}
            />
            <SearchSelect
              data-autofocus
              label={t`Category`}
              limit={SHOWN_AT_MOST}
              allowDeselect={false}
              placeholder={t`Leave unchanged`}
              data={categories.map((category) => ({ value: String(category.id), label: category.name }))}
              value={categoryId === null ? null : String(categoryId)}
              onChange={(value) => value && setCategoryId(Number(value))}
            />
          </Group>
          <MetadataFields
            label={t`Metadata`}
            description={t`These entries are set in all selected annotations. Other entries do not change.`}
            rows={rows}
            reserved={[NAME_KEY]}
            onChange={setRows}
          />
          <Group justify="space-between">
            <Button color="red" variant="light" onClick={handleDelete}>
              {t`Delete`}
            </Button>
            <Button type="submit" disabled={!isValid}>
              {t`Apply to ${{ count: count - locked }}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
