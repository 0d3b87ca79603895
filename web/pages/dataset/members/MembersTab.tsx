import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Stack, Table, Text } from "@mantine/core";
import type { Member } from "../../../../shared/entities/member";
import { AgoTime } from "../../../components/agoText";
import { LoadError } from "../../../components/messages/LoadError";
import { utcText } from "../../../components/utcText";
import { i18n } from "../../../languages/i18n";
import { useSession } from "../../../queries/session";
import { useMembers } from "../../../queries/tabs/statistics";
import { RowSkeletons } from "../../common/RowSkeletons";
import { ROLE_TEXTS } from "../../datasets/dialogs/roleTexts";
import { LeaveDataset } from "./LeaveDataset";

const GROUPS: Record<Member["group"], MessageDescriptor> = {
  Owner: msg`Owner`,
  Member: msg`Member`,
  Admin: msg`Admin`,
};

/** Members of the dataset, and when each was last seen. */
export function MembersTab({ datasetId }: { datasetId: number }) {
  const query = useMembers(datasetId);
  const me = useSession().user.username;
  if (query.state === "loading") return <RowSkeletons count={3} height={48} />;
  if (query.state === "failed") return <LoadError error={query.error} onRetry={() => void query.retry()} />;
  const { data } = query;
  const isMember = data.some(({ username, role }) => username === me && role !== null);
  return (
    <Stack p="md" align="flex-start">
      <Table.ScrollContainer minWidth={340} w="100%">
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Name`}</Table.Th>
              <Table.Th>{t`Username`}</Table.Th>
              <Table.Th>{t`Group`}</Table.Th>
              <Table.Th>{t`Last seen`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map(({ username, name, group, role, last_seen_at }) => (
              <Table.Tr key={username}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>{username}</Table.Td>
                <Table.Td>{i18n._(group === "Member" && role ? ROLE_TEXTS[role].name : GROUPS[group])}</Table.Td>
                <Table.Td>
                  {last_seen_at ? (
                    <>
                      <AgoTime iso={last_seen_at} />{" "}
                      <Text size="xs" c="dimmed" span>
                        {utcText(last_seen_at)}
                      </Text>
                    </>
                  ) : (
                    <Text size="sm" c="dimmed" span>
                      {t`Never`}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isMember && <LeaveDataset datasetId={datasetId} />}
    </Stack>
  );
}
