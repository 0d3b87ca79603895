import { t } from "@lingui/core/macro";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { isColor } from "../../../../shared/color/hex";
import { same } from "../../../../shared/edits/same";
import type { Annotation } from "../../../../shared/entities/annotation";
import { movedInto } from "../../../../shared/rules/attributeValues";
import { metadataProblems } from "../../../../shared/rules/metadataValue";
import { ColorField } from "../../../components/forms/ColorField";
import { MetadataFields } from "../../../components/forms/MetadataFields";
import { SearchSelect } from "../../../components/forms/SearchSelect";
import { SHOWN_AT_MOST } from "../../../components/tags/manyTags";
import { useDocument, useEditor, useLayers, useMayEdit } from "../../editor/context";
import classes from "../common/Annotator.module.css";
import { useCloseIfGone } from "../common/useCloseIfGone";
import { type AnnotationForm, changeOf, formOf, NAME_KEY } from "./annotationForm";

/** Dialog for name, colour, category and metadata of an annotation. Changes are applied as one undo step. */
export function AnnotationDialog({ uuid }: { uuid: string }) {
  const annotation = useDocument((state) => state.annotations.get(uuid));
  useCloseIfGone(annotation === undefined);
  return annotation ? <Settings annotation={annotation} /> : null;
}

function Settings({ annotation }: { annotation: Annotation }) {
  const { actions, commands, ui, layers, selection } = useEditor();
  const mayEdit = useMayEdit();
  const categories = useDocument((state) => state.categories);
  const isColorShown = useLayers((state) => state.colorBy === "annotation");
  const [before] = useState(annotation);
  const [form, setForm] = useState<AnnotationForm>(() => formOf(annotation));
  const { uuid, id } = annotation;
  const { name, color, categoryId, rows } = form;
  const isValid = isColor(color) && metadataProblems(rows, [NAME_KEY]).size === 0;
  const change = (part: Partial<AnnotationForm>) => setForm((old) => ({ ...old, ...part }));
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid) return;
    const category = categories.find((each) => each.id === categoryId);
    const moved = category && categoryId !== before.category_id ? movedInto(annotation, category) : {};
    commands.modify(uuid, { ...changeOf(form, before, annotation), ...moved }, t`Change`);
    selection.selectAnnotation({ uuid, category_id: categoryId });
    layers.expand(categoryId, true);
    ui.close();
  };
  const handleDelete = () => {
    actions.delete(uuid);
    ui.close();
  };
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={() => ui.close()}
      closeOnClickOutside={same(form, formOf(before))}
      title={id === null ? t`Annotation` : t`Annotation ${id}`}
    >
      <form onSubmit={handleSubmit}>
        <fieldset disabled={!mayEdit} className={classes.lookOnly}>
          <Stack gap="sm">
            <TextInput
              data-autofocus
              label={t`Name`}
              maxLength={1000}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <Group grow align="start">
              <ColorField
                label={t`Color`}
                inputWrapperOrder={["label", "input", "description", "error"]}
                description={isColorShown ? undefined : t`Visible when shapes are colored by annotation`}
                value={color}
                onChange={(next) => change({ color: next })}
              />
              <SearchSelect
                label={t`Category`}
                limit={SHOWN_AT_MOST}
                allowDeselect={false}
                data={categories.map((category) => ({ value: String(category.id), label: category.name }))}
                value={String(categoryId)}
                onChange={(value) => value && change({ categoryId: Number(value) })}
              />
            </Group>
            <MetadataFields
              label={t`Metadata`}
              rows={rows}
              reserved={[NAME_KEY]}
              onChange={(next) => change({ rows: next })}
            />
            {mayEdit && (
              <Group justify="space-between">
                <Button color="red" variant="light" onClick={handleDelete}>
                  {t`Delete`}
                </Button>
                <Button type="submit" disabled={!isValid}>
                  {t`Apply`}
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      </form>
    </Modal>
  );
}
