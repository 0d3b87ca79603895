import { t } from "@lingui/core/macro";
import { ActionIcon, Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { Check, Pencil, Trash2 } from "lucide-react";
import type { Account, User } from "../../../shared/entities/accounts/user";
import { AgoTime } from "../../components/agoText";
import { NeedsServer } from "../../components/offline/NeedsServer";
import classes from "./AdminPage.module.css";

interface Props {
  accounts: readonly Account[];
  self: User;
  /** Number of all accounts, of which a page may show a part. */
  total: number;
  /** True while the accounts are those of the previous page, and commands on them are disabled. */
  isStale: boolean;
  onEdit: (account: Account) => void;
  onDelete: (account: Account) => void;
}

export function AccountTable({ accounts, self, total, isStale, onEdit, onDelete }: Props) {
  const lastAdmin = lastAdminOf(accounts, total);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing={6} highlightOnHover className={classes.table} aria-busy={isStale}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Username`}</Table.Th>
            <Table.Th>{t`Name`}</Table.Th>
            <Table.Th>{t`Admin`}</Table.Th>
            <Table.Th>{t`Datasets`}</Table.Th>
            <Table.Th>{t`Last seen`}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t`Edit and delete`}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {accounts.map((account) => (
            <Table.Tr key={account.id}>
              <Table.Td className={classes.cell}>
                {account.username}
                {account.id === self.id && (
                  <Text size="xs" c="dimmed" ml={6} span>
                    {t`(you)`}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className={classes.cell}>{account.name}</Table.Td>
              <Table.Td className={classes.cell}>
                {account.is_admin && <Check size={16} role="img" aria-label={t`Admin`} />}
              </Table.Td>
              <Table.Td>{account.datasets}</Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed" span>
                  {account.last_seen ? <AgoTime iso={account.last_seen} /> : t`Never`}
                </Text>
              </Table.Td>
              <Table.Td>
                <Group gap={2} justify="flex-end" wrap="nowrap">
                  <NeedsServer>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t`Edit ${account.username}`}
                      disabled={isStale}
                      onClick={() => onEdit(account)}
                    >
                      <Pencil size={15} />
                    </ActionIcon>
                  </NeedsServer>
                  {account.id !== lastAdmin && (
                    <NeedsServer>
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={t`Delete ${account.username}`}
                        disabled={isStale}
                        onClick={() => onDelete(account)}
                      >
                        <Trash2 size={15} />
                      </ActionIcon>
                    </NeedsServer>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/**
 * Returns the id of the only admin, whom the server does not delete; undefined if there are several, or if others may
 * be on other pages.
 */
function lastAdminOf(accounts: readonly Account[], total: number): number | undefined {
  const admins = accounts.filter((account) => account.is_admin);
  return admins.length === 1 && accounts.length === total ? admins[0]?.id : undefined;
}
