import { t } from "@lingui/core/macro";
import { Table, Text } from "@mantine/core";
import type { UserStatistics } from "../../../../shared/entities/statistics";
import { durationText } from "../../../components/durationText";
import { numberText } from "./numberText";
import classes from "./Statistics.module.css";

/** Table of each user's annotations and time spent. */
export function UserTable({ users }: { users: readonly UserStatistics[] }) {
  return (
    <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Username`}</Table.Th>
            {[t`Annotations`, t`Images`, t`Time`, t`Time per Image`].map((name) => (
              <Table.Th key={name} className={classes.count}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map(({ username, account, annotations, images, milliseconds }) => (
            <Table.Tr key={`${account} ${username}`}>
              <Table.Td>
                {username}
                {!account && username !== "system" && (
                  <Text size="xs" c="dimmed" ml={6} span>
                    {t`(deleted)`}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className={classes.count}>{numberText(annotations)}</Table.Td>
              <Table.Td className={classes.count}>{numberText(images)}</Table.Td>
              <Table.Td className={classes.count}>{milliseconds ? durationText(milliseconds) : "–"}</Table.Td>
              <Table.Td className={classes.count}>
                {milliseconds && images ? durationText(milliseconds / images) : "–"}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
