import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { datasetName } from "../../../shared/entities/dataset";
import { FormFields } from "../../components/forms/FormFields";
import { useFormValues } from "../../components/forms/FormModal";
import { TagField } from "../../components/forms/TagField";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { showSuccess } from "../../components/messages/toast";
import { useCategoryNames } from "../../queries/categories";
import { useCreateDataset } from "../../queries/datasets";

export function CreateDatasetForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [isTouched, setTouched] = useState(false);
  const [categories, setCategories] = useState<string[]>([]);
  const known = useCategoryNames();
  useFormValues({ name, categories });
  const create = useCreateDataset();
  const submit = useSubmitOnce(create, opened);
  const navigate = useNavigate();
  const error = nameError(name.trim());

  const handleSubmit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTouched(true);
    if (error || !event.currentTarget.checkValidity()) return;
    const handleCreated = ({ id }: { id: number }) => {
      onClose();
      void navigate(`/dataset/${id}`);
    };
    submit({ name: name.trim(), categories }, handleCreated, ({ name: made }) =>
      showSuccess("Creating Dataset", `The dataset “${made}” was created.`),
    );
  };
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack gap="md">
        <FormFields isSent={create.isPending} gap="md">
          <TextInput
            label="Dataset Name"
            withAsterisk
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={() => name !== "" && setTouched(true)}
            error={isTouched && error}
          />
          <TagField
            label="Default Categories"
            value={categories}
            onChange={setCategories}
            suggestions={known}
            placeholder="Add a category"
            creates="category"
          />
          <TextInput label="Folder Directory" readOnly variant="filled" value={`/datasets/${name.trim()}/`} />
        </FormFields>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create Dataset
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function nameError(name: string): string | null {
  const result = datasetName.safeParse(name);
  return result.success ? null : (result.error.issues[0]?.message ?? null);
}
