import { t } from "@lingui/core/macro";
import { Group, Select, Stack, Text } from "@mantine/core";
import { MEMBER_ROLES, type MemberRole } from "../../../../shared/entities/member";
import { i18n } from "../../../languages/i18n";
import { roleIn, type Sharing } from "../../../queries/datasets";
import { ROLE_TEXTS } from "./roleTexts";

interface Props {
  sharing: Sharing;
  /** Usernames in lower case of the maintainers so far, whom only the owner changes. */
  maintainers: readonly string[];
  isOwner: boolean;
  onChange: (username: string, role: MemberRole) => void;
}

/** A line for each member with the role; nothing without members. */
export function RoleFields({ sharing, maintainers, isOwner, onChange }: Props) {
  if (sharing.users.length === 0) return null;
  return (
    <Stack gap={4} role="group" aria-label={t`Roles`}>
      <Text size="sm" fw={500}>
        {t`Roles`}
      </Text>
      {sharing.users.map((username) => (
        <Group key={username} gap="xs" wrap="nowrap" justify="space-between">
          <Text size="sm" truncate>
            {username}
          </Text>
          <Select
            size="xs"
            w={150}
            flex="none"
            aria-label={t`Role of ${username}`}
            allowDeselect={false}
            comboboxProps={{ width: 280, position: "bottom-end" }}
            disabled={!isOwner && maintainers.includes(username.toLowerCase())}
            data={MEMBER_ROLES.map((role) => ({
              value: role,
              label: i18n._(ROLE_TEXTS[role].name),
              disabled: role === "maintainer" && !isOwner,
            }))}
            value={roleIn(sharing, username)}
            onChange={(role) => role && onChange(username, role as MemberRole)}
            renderOption={({ option }) => (
              <div>
                <Text size="sm">{option.label}</Text>
                <Text size="xs" c="dimmed">
                  {i18n._(ROLE_TEXTS[option.value as MemberRole].may)}
                </Text>
              </div>
            )}
          />
        </Group>
      ))}
    </Stack>
  );
}
