import { Button, Select, Skeleton } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { LIST_LIMITS } from "../../../shared/constants";
import type { Account, User } from "../../../shared/entities/user";
import { ListHead } from "../../components/ListHead";
import { LoadError } from "../../components/LoadError";
import { Pager } from "../../components/Pager";
import { useAccounts } from "../../queries/accounts";
import classes from "../AdminPage.module.css";
import { AccountTable } from "./AccountTable";
import { CreateAccount } from "./CreateAccount";
import { DeleteAccount } from "./DeleteAccount";
import { EditAccount } from "./EditAccount";

/** The list of accounts, and what an admin does to them. `self`: the admin. */
export function Accounts({ self }: { self: User }) {
  const [limit, setLimit] = useState<number>(LIST_LIMITS[0]);
  const [page, setPage] = useState(1);
  const list = useAccounts(limit, page);
  const { data, error, isPending, refetch } = list;
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Account | null>(null);
  const [deleting, setDeleting] = useState<Account | null>(null);
  const handleLimit = (value: string | null) => {
    setLimit(Number(value));
    setPage(1);
  };
  return (
    <>
      <ListHead
        title="Users"
        note={data && `${data.total} user ${data.total === 1 ? "account" : "accounts"}`}
        list={list}
        after={
          <Select
            aria-label="Users on a page"
            data={LIST_LIMITS.map(String)}
            value={String(limit)}
            onChange={handleLimit}
            allowDeselect={false}
            size="xs"
            w={84}
          />
        }
      >
        <Button leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
          Create User
        </Button>
      </ListHead>
      {isPending && <Skeleton height={120} />}
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && <AccountTable accounts={data.users} self={self} onEdit={setEditing} onDelete={setDeleting} />}
      <div className={classes.pager}>
        <Pager page={(data?.page ?? 0) + 1} pages={data?.pages ?? 0} onChange={setPage} />
      </div>
      <CreateAccount opened={isCreating} onClose={() => setCreating(false)} />
      {editing && <EditAccount account={editing} isSelf={editing.id === self.id} onClose={() => setEditing(null)} />}
      {deleting && (
        <DeleteAccount
          account={deleting}
          isSelf={deleting.id === self.id}
          heirs={(data?.users ?? []).map(({ username }) => username).filter((name) => name !== deleting.username)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
