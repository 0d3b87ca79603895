import { plural, t } from "@lingui/core/macro";
import { Button, Select } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { LIST_LIMITS } from "../../../shared/constants";
import type { Account, User } from "../../../shared/entities/accounts/user";
import { ListHead } from "../../components/lists/ListHead";
import { NothingFound } from "../../components/lists/NothingFound";
import { Pager } from "../../components/lists/Pager";
import { SearchField } from "../../components/lists/SearchField";
import { useLastPageAtMost, usePageInQuery } from "../../components/lists/usePageInQuery";
import { useOffersSearch, useSearchInQuery } from "../../components/lists/useSearchInQuery";
import { LoadError } from "../../components/messages/LoadError";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { useAccounts } from "../../queries/accounts";
import { shownOf } from "../../queries/queryState";
import { RowSkeletons } from "../common/RowSkeletons";
import { AccountTable } from "./AccountTable";
import classes from "./AdminPage.module.css";
import { CreateAccount } from "./CreateAccount";
import { DeleteAccount } from "./DeleteAccount";
import { EditAccount } from "./EditAccount";

/** The list of accounts, with commands to create, edit and delete them. `self` is the logged-in admin. */
export function Accounts({ self }: { self: User }) {
  const [limit, setLimit] = useState<number>(LIST_LIMITS[0]);
  const [page, setPage] = usePageInQuery();
  const [search, setSearch] = useSearchInQuery();
  const list = useAccounts(limit, page, search);
  const shown = shownOf(list);
  const offersSearch = useOffersSearch(search, shown?.data.total);
  useLastPageAtMost(list.state === "loaded" ? list.data.pages : undefined);
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
        title={t`Users`}
        note={list.state === "loaded" ? countText(list.data.total) : undefined}
        list={list}
        after={
          <Select
            aria-label={t`Users per page`}
            data={LIST_LIMITS.map(String)}
            value={String(limit)}
            onChange={handleLimit}
            allowDeselect={false}
            size="xs"
            w={84}
          />
        }
      >
        {offersSearch && <SearchField label={t`Search users`} value={search} onChange={setSearch} />}
        <NeedsServer>
          <Button leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
            {t`Create User`}
          </Button>
        </NeedsServer>
      </ListHead>
      {list.state === "loading" && !shown && <RowSkeletons height={38} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.users.length === 0 && search !== "" && (
        <NothingFound search={search} onClear={() => setSearch("")} />
      )}
      {shown && shown.data.users.length > 0 && (
        <>
          <AccountTable
            accounts={shown.data.users}
            self={self}
            total={search === "" ? shown.data.total : Number.POSITIVE_INFINITY}
            isStale={shown.isStale}
            onEdit={setEditing}
            onDelete={setDeleting}
          />
          <div className={classes.pager}>
            <Pager page={shown.data.page + 1} pages={shown.data.pages} onChange={setPage} />
          </div>
        </>
      )}
      <CreateAccount opened={isCreating} onClose={() => setCreating(false)} />
      {editing && <EditAccount account={editing} isSelf={editing.id === self.id} onClose={() => setEditing(null)} />}
      {deleting && (
        <DeleteAccount account={deleting} isSelf={deleting.id === self.id} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}

const countText = (total: number) => plural(total, { one: "# user account", other: "# user accounts" });
