import { t } from "@lingui/core/macro";
import { Autocomplete, Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { isColor } from "../../../../shared/color/hex";
import type { CategoryTool } from "../../../../shared/rules/categoryTool";
import { foldText, isSameName } from "../../../../shared/text/fold";
import { AttributeEditor } from "../../../components/attributes/AttributeEditor";
import { type AttributeRow, attributeErrors } from "../../../components/attributes/attributeRows";
import { CategoryToolField } from "../../../components/forms/CategoryToolField";
import { ColorField } from "../../../components/forms/ColorField";
import { FormFields } from "../../../components/forms/FormFields";
import { useFormValues } from "../../../components/forms/FormModal";
import { KeypointEditor } from "../../../components/keypoints/KeypointEditor";
import { errorsOf, type KeypointRow } from "../../../components/keypoints/keypointRows";

export interface CategoryValues {
  name: string;
  color: string;
  supercategory: string;
  keypoints: KeypointRow[];
  attributes: AttributeRow[];
  /** Absent if the form has no field for the tool. */
  tool?: CategoryTool | null;
}

interface Props {
  initial: CategoryValues;
  submit: string;
  isBusy: boolean;
  /** Names suggested while typing; other names are valid too. */
  suggestions?: string[] | undefined;
  /** True while the suggestions are loading. */
  isLoadingSuggestions?: boolean;
  /** Names of categories that a form for a new category does not create, but use as they are. */
  existing?: readonly string[] | undefined;
  onSubmit: (values: CategoryValues) => void;
}

/** Form for name, colour, supercategory, tool, keypoints and attributes of a category. */
export function CategoryForm(props: Props) {
  const { initial, submit, isBusy, suggestions, isLoadingSuggestions = false, existing, onSubmit } = props;
  const [values, setValues] = useState(initial);
  const [isListOpen, setIsListOpen] = useState(false);
  useFormValues(values);
  const isValid =
    values.name.trim() !== "" &&
    isColor(values.color) &&
    !errorsOf(values.keypoints).size &&
    !attributeErrors(values.attributes).size;
  const typed = foldText(values.name.trim());
  // An open list without entries is invisible, but would catch the Escape meant for the dialog. Never undefined, since
  // the field would then decide by itself if its list is open.
  const isOffering = isListOpen && !!suggestions?.some((name) => foldText(name).includes(typed));
  const isExisting = existing?.some((name) => isSameName(name, values.name));
  const change = (part: Partial<CategoryValues>) => setValues((old) => ({ ...old, ...part }));
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && !isBusy) onSubmit({ ...values, name: values.name.trim() });
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap="sm">
        <FormFields isSent={isBusy} gap="sm">
          <Autocomplete
            data-autofocus
            required
            label={t`Name`}
            description={
              isExisting && t`This category exists. It is used as it is, with its own color, keypoints and attributes.`
            }
            maxLength={200}
            data={suggestions}
            aria-busy={isLoadingSuggestions}
            limit={8}
            openOnFocus={false}
            dropdownOpened={isOffering}
            onDropdownOpen={() => setIsListOpen(true)}
            onDropdownClose={() => setIsListOpen(false)}
            value={values.name}
            onChange={(name) => change({ name })}
          />
          <ColorField label={t`Color`} value={values.color} onChange={(color) => change({ color })} />
          <TextInput
            label={t`Supercategory`}
            maxLength={200}
            value={values.supercategory}
            onChange={(event) => change({ supercategory: event.currentTarget.value })}
          />
          {values.tool !== undefined && <CategoryToolField value={values.tool} onChange={(tool) => change({ tool })} />}
          <KeypointEditor rows={values.keypoints} onChange={(keypoints) => change({ keypoints })} />
          <AttributeEditor rows={values.attributes} onChange={(attributes) => change({ attributes })} />
        </FormFields>
        <Group justify="flex-end">
          <Button type="submit" disabled={!isValid} loading={isBusy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
