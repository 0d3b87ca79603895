import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus, Tags } from "lucide-react";
import { paletteColorAt } from "../../../shared/color/readable";
import { EmptyState } from "../../components/lists/EmptyState";
import { ListHead } from "../../components/lists/ListHead";
import { Pager } from "../../components/lists/Pager";
import { useLastPageAtMost, usePageInQuery } from "../../components/lists/usePageInQuery";
import { LoadError } from "../../components/messages/LoadError";
import { useCategoryPage } from "../../queries/categories";
import { shownOf } from "../../queries/queryState";
import { CardSkeletons } from "../common/CardSkeletons";
import classes from "../common/cards.module.css";
import { PageTitle } from "../common/PageTitle";
import { CategoryCard } from "./CategoryCard";
import { CreateCategory } from "./CreateCategory";

/** All categories that the user may use. */
export function CategoriesPage() {
  const [page, setPage] = usePageInQuery();
  const list = useCategoryPage(page);
  const shown = shownOf(list);
  const categories = shown?.data.categories;
  useLastPageAtMost(list.state === "loaded" ? list.data.pagination.pages : undefined);
  const [isCreating, creating] = useDisclosure(false);
  // Index of a new category's initial colour: the first colour while the number of categories is unknown.
  const nextColor = shown ? shown.data.pagination.total : 0;
  return (
    <div className={classes.page}>
      <PageTitle>Categories</PageTitle>
      <ListHead title="Categories" note={list.state === "loaded" ? countText(list.data) : undefined} list={list}>
        <Button leftSection={<Plus size={15} />} onClick={creating.open}>
          Create
        </Button>
      </ListHead>
      {list.state === "loading" && !categories?.length && <CardSkeletons height={92} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void list.retry()} />}
      {list.state === "loaded" && list.data.categories.length === 0 && (
        <EmptyState icon={Tags} title="You need to create a category!">
          A category is a kind of object that you annotate, such as person, car or left hand. Each has its own colour.
          <Button leftSection={<Plus size={15} />} onClick={creating.open}>
            Create a category
          </Button>
        </EmptyState>
      )}
      {categories && categories.length > 0 && (
        <div className={classes.grid} aria-busy={list.isFetching} data-stale={shown.isStale || undefined}>
          {categories.map((category) => (
            <CategoryCard key={category.id} category={category} isStale={shown.isStale} />
          ))}
        </div>
      )}
      <div className={classes.pager}>
        {shown && <Pager page={page} pages={shown.data.pagination.pages} onChange={setPage} />}
      </div>
      <CreateCategory opened={isCreating} onClose={creating.close} color={paletteColorAt(nextColor)} />
    </div>
  );
}

const countText = ({ categories, pagination }: { categories: readonly unknown[]; pagination: { total: number } }) =>
  `${categories.length} of ${pagination.total} loaded`;
