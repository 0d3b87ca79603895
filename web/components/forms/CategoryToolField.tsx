import { Select } from "@mantine/core";
import { CATEGORY_TOOLS, type CategoryTool } from "../../../shared/rules/categoryTool";

interface Props {
  value: CategoryTool | null;
  onChange: (tool: CategoryTool | null) => void;
}

/** Choice of the tool with which new annotations of a category begin. */
export function CategoryToolField({ value, onChange }: Props) {
  return (
    <Select
      label="Tool of New Annotations"
      placeholder="The last one used"
      clearable
      data={[...CATEGORY_TOOLS]}
      value={value}
      onChange={(name) => onChange(CATEGORY_TOOLS.find((tool) => tool === name) ?? null)}
    />
  );
}
