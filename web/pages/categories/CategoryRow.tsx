import { plural, t } from "@lingui/core/macro";
import { ActionIcon, ColorSwatch, Menu, Text } from "@mantine/core";
import { EllipsisVertical, Pencil, Trash2 } from "lucide-react";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useInfo } from "../../queries/session";
import type { ListedCategory, RowDialog } from "./CategoryDialogs";
import classes from "./CategoryList.module.css";

interface Props {
  category: ListedCategory;
  /** True while this category is from the previous page, and commands on it are disabled. */
  isStale: boolean;
  onOpen: (dialog: RowDialog) => void;
}

/** A category in the list: colour, name and use, and a menu with the commands that the user may run. */
export function CategoryRow({ category, isStale, onOpen }: Props) {
  const info = useInfo();
  const { name, supercategory, numberAnnotations: count, creator, permissions } = category;
  return (
    <article className={classes.row} aria-label={name}>
      <div className={classes.name}>
        <ColorSwatch color={category.color} size={16} withShadow={false} aria-hidden />
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
      </div>
      <Text size="xs" c="dimmed" truncate title={supercategory}>
        {supercategory}
      </Text>
      <Text size="xs" c="dimmed">
        {usageText(count)}
      </Text>
      <Text size="xs" c="dimmed">
        {definitionText(category)}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {info.state === "loaded" && info.data.login_enabled && creator && t`Created by ${creator}`}
      </Text>
      <div className={classes.menu}>
        {(permissions.edit || permissions.delete) && (
          <Menu position="bottom-end" width={140}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t`Menu of ${name}`} disabled={isStale}>
                <EllipsisVertical size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {permissions.edit && (
                <NeedsServer>
                  <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onOpen({ name: "edit", category })}>
                    {t`Edit`}
                  </Menu.Item>
                </NeedsServer>
              )}
              {permissions.delete && (
                <NeedsServer>
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<Trash2 size={14} />}
                    onClick={() => onOpen({ name: "delete", category })}
                  >
                    {t`Delete`}
                  </Menu.Item>
                </NeedsServer>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </article>
  );
}

export function usageText(count: number): string {
  if (count === 0) return t`No annotations use this category`;
  return plural(count, {
    one: "# object has been made with this category.",
    other: "# objects have been made with this category.",
  });
}

/** Returns the numbers of a category's keypoints and attributes, if it has any. */
function definitionText({ keypoint_labels: labels, attributes }: ListedCategory): string {
  const keypoints = labels.length > 0 && plural(labels.length, { one: "# keypoint", other: "# keypoints" });
  const values = attributes.length > 0 && plural(attributes.length, { one: "# attribute", other: "# attributes" });
  return [keypoints, values].filter(Boolean).join(", ");
}
