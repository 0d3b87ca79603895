import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ActionIcon, Anchor, Button, Code, Group, Table, Text, VisuallyHidden } from "@mantine/core";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ApiToken } from "../../../shared/entities/accounts/token";
import { AgoTime } from "../../components/agoText";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { ConfirmModal } from "../../components/messages/ConfirmModal";
import { LoadError } from "../../components/messages/LoadError";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { baseUrl } from "../../io/http/url";
import { useRevokeToken, useTokens } from "../../queries/scripts/tokens";
import { RowSkeletons } from "../common/RowSkeletons";
import { CreateToken } from "./CreateToken";
import { dateText, isExpired } from "./dates";
import classes from "./UserPage.module.css";

/** The user's API tokens, with commands to create and revoke them. */
export function ApiTokens() {
  const list = useTokens();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>
          Scripts use a token to act on your behalf. Send it as <Code>Authorization: Bearer …</Code> with any call to
          the{" "}
          <Anchor href={new URL("api", baseUrl()).href} underline="always" inherit>
            API
          </Anchor>
          .
        </Trans>
      </Text>
      {/* Above the list, which must not move it under the pointer when it arrives. */}
      <NeedsServer>
        <Button variant="default" leftSection={<Plus size={15} />} mb="sm" onClick={() => setCreating(true)}>
          {t`Create Token`}
        </Button>
      </NeedsServer>
      {list.state === "loading" && <RowSkeletons count={2} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.tokens.length > 0 && (
        <Table.ScrollContainer minWidth={520}>
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Name`}</Table.Th>
                <Table.Th>{t`Token`}</Table.Th>
                <Table.Th>{t`Created`}</Table.Th>
                <Table.Th>{t`Last used`}</Table.Th>
                <Table.Th>{t`Expires`}</Table.Th>
                <Table.Th>
                  <VisuallyHidden>{t`Revoke`}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.data.tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <CreateToken opened={isCreating} onClose={() => setCreating(false)} />
      <RevokeToken token={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name } = token;
  return (
    <Table.Tr>
      <Table.Td className={classes.cell}>{token.name}</Table.Td>
      <Table.Td>
        <Code>{token.prefix}…</Code>
      </Table.Td>
      <Table.Td>{dateText(token.created_at)}</Table.Td>
      <Table.Td>{token.last_used ? <AgoTime iso={token.last_used} /> : t`Never`}</Table.Td>
      <Table.Td>
        {token.expires_at === null ? t`Never` : dateText(token.expires_at)}
        {isExpired(token.expires_at) && (
          <Text size="xs" fw={600} ml={6} span>
            {t`(expired)`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end">
          <NeedsServer>
            <ActionIcon variant="subtle" color="red" aria-label={t`Revoke ${name}`} onClick={onRevoke}>
              <Trash2 size={15} />
            </ActionIcon>
          </NeedsServer>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeToken({ token, onClose }: { token: ApiToken | null; onClose: () => void }) {
  const name = token?.name ?? "";
  const revoke = useRevokeToken();
  const submit = useSubmitOnce(revoke, token !== null);
  return (
    <ConfirmModal
      opened={token !== null}
      title={t`Revoke API token?`}
      confirm={t`Revoke`}
      isBusy={revoke.isPending}
      isSent={revoke.isPending}
      onConfirm={() =>
        token && submit(token.id, onClose, () => showSuccess(t`Revoke API token`, t`The token “${name}” was revoked.`))
      }
      onClose={onClose}
    >
      {t`Scripts that use ${name} will stop working immediately. This action cannot be undone.`}
    </ConfirmModal>
  );
}
