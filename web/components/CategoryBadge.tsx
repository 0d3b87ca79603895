import { Badge } from "@mantine/core";
import { textColorOn } from "../../shared/color/contrast";

/** Badge with a category's name on its colour. */
export function CategoryBadge({ name, color }: { name: string; color: string }) {
  return (
    <Badge size="sm" radius="sm" color={color} c={textColorOn(color)} tt="none" fw={500} maw="100%" title={name}>
      {name}
    </Badge>
  );
}
