import { Button, ColorInput, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Annotation } from "../../../shared/entities/annotation";
import { useDocument, useEditor } from "../context";

/** Name, colour and category of an annotation. What is changed together is one undo step. */
export function AnnotationDialog({ uuid }: { uuid: string }) {
  const annotation = useDocument((state) => state.annotations.get(uuid));
  return annotation ? <Settings annotation={annotation} /> : null;
}

function Settings({ annotation }: { annotation: Annotation }) {
  const { commands, ui, history, layers, selection } = useEditor();
  const categories = useDocument((state) => state.categories);
  const { uuid, id } = annotation;
  const [name, setName] = useState(typeof annotation.metadata.name === "string" ? annotation.metadata.name : "");
  const [color, setColor] = useState(annotation.color);
  const [categoryId, setCategoryId] = useState(annotation.category_id);
  const title = id === null ? "Annotation" : `Annotation ${id}`;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    history.gesture({ name: title, action: "Change" }, () => {
      commands.rename(uuid, name);
      if (/^#[0-9a-f]{6}$/i.test(color)) commands.modify(uuid, { color: color.toLowerCase() }, "Change");
      commands.modify(uuid, { category_id: categoryId }, "Change");
    });
    selection.selectAnnotation({ uuid, category_id: categoryId });
    layers.expand(categoryId, true);
    ui.close();
  };
  const handleDelete = () => {
    commands.delete(uuid);
    ui.close();
  };
  return (
    <Modal opened returnFocus={false} onClose={() => ui.close()} title={title}>
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label="Name"
            maxLength={1000}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ColorInput label="Color" format="hex" value={color} onChange={setColor} />
          <Select
            label="Category"
            searchable
            allowDeselect={false}
            data={categories.map((category) => ({ value: String(category.id), label: category.name }))}
            value={String(categoryId)}
            onChange={(value) => value && setCategoryId(Number(value))}
          />
          <Group justify="space-between">
            <Button color="red" variant="light" onClick={handleDelete}>
              Delete
            </Button>
            <Button type="submit">Apply</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
