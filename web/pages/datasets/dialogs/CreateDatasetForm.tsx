import { t } from "@lingui/core/macro";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { FormFields } from "../../../components/forms/FormFields";
import { useFormValues } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { showSuccess } from "../../../components/messages/toast";
import { TagField } from "../../../components/tags/TagField";
import { useCategoryNames } from "../../../queries/categories";
import { useCreateDataset } from "../../../queries/datasets";
import { NameField, nameError } from "./NameField";
import { newCategoryText } from "./newCategoryText";

export function CreateDatasetForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [categories, setCategories] = useState<string[]>([]);
  const known = useCategoryNames();
  useFormValues({ name, categories });
  const create = useCreateDataset();
  const submit = useSubmitOnce(create, opened);
  const navigate = useNavigate();

  const handleSubmit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (nameError(name) || !event.currentTarget.checkValidity()) return;
    const handleCreated = ({ id }: { id: number }) => {
      onClose();
      void navigate(`/dataset/${id}`);
    };
    submit({ name: name.trim(), categories }, handleCreated, ({ name: made }) =>
      showSuccess(t`Creating Dataset`, t`The dataset “${made}” was created.`),
    );
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FormFields isSent={create.isPending} gap="md">
          <NameField value={name} onChange={setName} isChecked={isChecked} isFocused />
          <TagField
            label={t`Default Categories`}
            value={categories}
            onChange={setCategories}
            suggestions={known}
            placeholder={t`Add a category`}
            creates={newCategoryText}
          />
          <TextInput label={t`Folder Directory`} readOnly variant="filled" value={`/datasets/${name.trim()}/`} />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t`Create Dataset`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
