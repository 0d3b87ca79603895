import { t } from "@lingui/core/macro";
import { Select } from "@mantine/core";
import { CATEGORY_TOOLS, type CategoryTool } from "../../../shared/rules/categoryTool";

interface Props {
  value: CategoryTool | null;
  onChange: (tool: CategoryTool | null) => void;
}

/** Field for the tool that is selected when an annotation of the category is created. */
export function CategoryToolField({ value, onChange }: Props) {
  const labels = toolLabels();
  return (
    <Select
      label={t`Tool for New Annotations`}
      placeholder={t`The tool used last`}
      clearable
      data={CATEGORY_TOOLS.map((name) => ({ value: name, label: labels[name] }))}
      value={value}
      onChange={(name) => onChange(CATEGORY_TOOLS.find((tool) => tool === name) ?? null)}
    />
  );
}

const toolLabels = (): Record<CategoryTool, string> => ({
  BBox: t`BBox`,
  "Rotated Box": t`Rotated Box`,
  Polygon: t`Polygon`,
  Scissors: t`Scissors`,
  Ellipse: t`Ellipse`,
  Line: t({ message: "Line", context: "tool" }),
  Keypoints: t`Keypoints`,
  Brush: t`Brush`,
  "Magic Wand": t`Magic Wand`,
  DEXTR: "DEXTR",
});
