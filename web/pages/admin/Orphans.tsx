import { t } from "@lingui/core/macro";
import { Anchor, Button, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { useSubmitOnce } from "../../components/forms/useSubmitOnce";
import { LoadErrorLine } from "../../components/messages/LoadError";
import { showSuccess } from "../../components/messages/toast";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useGiveDataset, useOrphans } from "../../queries/accounts";
import { RowSkeletons } from "../common/RowSkeletons";
import classes from "./AdminPage.module.css";
import { HeirField } from "./HeirField";

/** Datasets whose owner's account was deleted, each with a field for its new owner. Hidden if there are none. */
export function Orphans() {
  const orphans = useOrphans();
  if (orphans.state === "loading") return <RowSkeletons count={2} className={classes.orphans} />;
  if (orphans.state === "loaded" && orphans.data.length === 0) return null;
  return (
    <section className={classes.orphans} aria-labelledby="orphans">
      <Title order={2} id="orphans">
        {t`Datasets without an owner`}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t`The accounts of their owners were deleted. Only admins and members can see these datasets.`}
      </Text>
      {orphans.state === "failed" && <LoadErrorLine error={orphans.error} onRetry={() => void orphans.retry()} />}
      {orphans.state === "loaded" && (
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {orphans.data.map(({ id, name }) => (
              <Orphan key={id} id={id} name={name} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}

function Orphan({ id, name }: { id: number; name: string }) {
  const [username, setUsername] = useState("");
  const give = useGiveDataset();
  const submit = useSubmitOnce(give);
  const handleSubmit = (event: React.FormEvent) => {
    event.preventDefault();
    const owner = username.trim();
    const showDone = () => showSuccess(t`Hand Over`, t`${name} now belongs to ${owner}.`);
    // The row disappears once the dataset has an owner.
    submit({ id, username: owner }, showDone, showDone);
  };
  return (
    <Table.Tr>
      <Table.Td className={classes.cell}>
        <Anchor component={Link} to={`/dataset/${id}`} size="sm">
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <form onSubmit={handleSubmit} style={{ display: "flex", gap: 8, justifyContent: "flex-end" }}>
          <HeirField
            aria-label={t`New owner of ${name}`}
            placeholder={t`New owner`}
            value={username}
            onChange={setUsername}
            w={200}
          />
          <NeedsServer>
            <Button type="submit" variant="default" disabled={!username.trim()} loading={give.isPending}>
              {t`Hand over`}
            </Button>
          </NeedsServer>
        </form>
      </Table.Td>
    </Table.Tr>
  );
}
