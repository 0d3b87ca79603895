import { t } from "@lingui/core/macro";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { isColor } from "../../../shared/color/hex";
import { AttributeEditor } from "../../components/attributes/AttributeEditor";
import { attributeErrors } from "../../components/attributes/attributeRows";
import { CategoryToolField } from "../../components/forms/CategoryToolField";
import { ColorField } from "../../components/forms/ColorField";
import { FormFields } from "../../components/forms/FormFields";
import { useFormValues } from "../../components/forms/FormModal";
import { KeypointEditor } from "../../components/keypoints/KeypointEditor";
import { errorsOf } from "../../components/keypoints/keypointRows";
import classes from "./CategoryForm.module.css";
import { type CategoryFields, type CategoryValues, valuesOf } from "./categoryChange";

interface Props<C extends CategoryFields> {
  initial: C;
  submit: string;
  isBusy: boolean;
  /** `before` is what the form first showed; other users may have changed the category since. */
  onSubmit: (values: CategoryValues, before: C) => void;
  onCancel: () => void;
}

/** Form for the fields of a category. Unmounted when its dialog closes, which resets it. */
export function CategoryForm<C extends CategoryFields>({ initial, submit, isBusy, onSubmit, onCancel }: Props<C>) {
  const [before] = useState(initial);
  const [values, setValues] = useState(() => valuesOf(before));
  const change = (part: Partial<CategoryValues>) => setValues((old) => ({ ...old, ...part }));
  useFormValues(values);
  const isValid =
    values.name.trim() !== "" &&
    isColor(values.color) &&
    errorsOf(values.rows).size === 0 &&
    attributeErrors(values.attributes).size === 0;

  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    if (isValid) onSubmit(values, before);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="md">
        <FormFields isSent={isBusy} gap="md">
          <Group grow align="start">
            <TextInput
              label={t`Name`}
              withAsterisk
              data-autofocus
              maxLength={200}
              value={values.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            <TextInput
              label={t`Supercategory`}
              maxLength={200}
              value={values.supercategory}
              onChange={(event) => change({ supercategory: event.currentTarget.value })}
            />
          </Group>
          <ColorField
            label={t`Color`}
            value={values.color}
            onChange={(color) => change({ color })}
            swatchesPerRow={16}
          />
          <CategoryToolField value={values.tool} onChange={(tool) => change({ tool })} />
          <KeypointEditor rows={values.rows} onChange={(rows) => change({ rows })} />
          <AttributeEditor rows={values.attributes} onChange={(attributes) => change({ attributes })} />
        </FormFields>
        <Group justify="flex-end" gap="xs" className={classes.actions}>
          <Button variant="default" onClick={onCancel}>
            {t`Cancel`}
          </Button>
          <Button type="submit" disabled={!isValid} loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
