import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus, Tags } from "lucide-react";
import { useState } from "react";
import { paletteColorAt } from "../../../shared/color/readable";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { NothingFound } from "../../components/lists/NothingFound";
import { Pager } from "../../components/lists/Pager";
import { SearchField } from "../../components/lists/SearchField";
import { useLastPageAtMost, usePageInQuery } from "../../components/lists/usePageInQuery";
import { useOffersSearch, useSearchInQuery } from "../../components/lists/useSearchInQuery";
import { LoadError } from "../../components/messages/LoadError";
import { useCategoryPage } from "../../queries/categories";
import { shownOf } from "../../queries/queryState";
import classes from "../common/cards.module.css";
import { PageTitle } from "../common/PageTitle";
import { RowSkeletons } from "../common/RowSkeletons";
import { CategoryDialogs, type RowDialog } from "./CategoryDialogs";
import rows from "./CategoryList.module.css";
import { CategoryRow } from "./CategoryRow";
import { CreateCategory } from "./CreateCategory";

/** All categories that the user may use. */
export function CategoriesPage() {
  const [page, setPage] = usePageInQuery();
  const [search, setSearch] = useSearchInQuery();
  const list = useCategoryPage(page, search);
  const shown = shownOf(list);
  const offersSearch = useOffersSearch(search, shown?.data.pagination.total);
  const categories = shown?.data.categories;
  useLastPageAtMost(list.state === "loaded" ? list.data.pagination.pages : undefined);
  // The button in the empty list is then the main one.
  const isEmpty = list.state === "loaded" && list.data.categories.length === 0 && search === "";
  const [isCreating, creating] = useDisclosure(false);
  const [dialog, setDialog] = useState<RowDialog | null>(null);
  // Index of a new category's initial colour: the first colour while the number of categories is unknown.
  const nextColor = shown ? shown.data.pagination.total : 0;
  return (
    <div className={classes.page}>
      <PageTitle>{t`Categories`}</PageTitle>
      <ListHead title={t`Categories`} note={list.state === "loaded" ? countText(list.data) : undefined} list={list}>
        {offersSearch && <SearchField label={t`Search categories`} value={search} onChange={setSearch} />}
        <Button variant={isEmpty ? "default" : "filled"} leftSection={<Plus size={15} />} onClick={creating.open}>
          {t`Create`}
        </Button>
      </ListHead>
      {list.state === "loading" && !categories?.length && <RowSkeletons count={12} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.categories.length === 0 && search !== "" && (
        <NothingFound search={search} onClear={() => setSearch("")} />
      )}
      {isEmpty && (
        <EmptyState icon={Tags} title={t`You need to create a category!`}>
          {t`A category is a kind of object that you annotate, such as person, car or left hand. Each has its own colour.`}
          <Button leftSection={<Plus size={15} />} onClick={creating.open}>
            {t`Create a category`}
          </Button>
        </EmptyState>
      )}
      {categories && categories.length > 0 && (
        <div className={rows.list} aria-busy={list.isFetching} data-stale={shown.isStale || undefined}>
          {categories.map((category) => (
            <CategoryRow key={category.id} category={category} isStale={shown.isStale} onOpen={setDialog} />
          ))}
        </div>
      )}
      <div className={classes.pager}>
        {shown && <Pager page={page} pages={shown.data.pagination.pages} onChange={setPage} />}
      </div>
      <CategoryDialogs wanted={dialog} onClose={() => setDialog(null)} />
      <CreateCategory opened={isCreating} onClose={creating.close} color={paletteColorAt(nextColor)} />
    </div>
  );
}

function countText({ categories, pagination }: { categories: readonly unknown[]; pagination: { total: number } }) {
  const [count, total] = [categories.length, pagination.total];
  return t`${count} of ${total} loaded`;
}
