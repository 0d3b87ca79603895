import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus, Tags } from "lucide-react";
import { KEYPOINT_PALETTE } from "../../shared/constants";
import { EmptyState } from "../components/EmptyState";
import { ListHead } from "../components/ListHead";
import { LoadError } from "../components/LoadError";
import { Pager } from "../components/Pager";
import { useLastPageAtMost, usePageInQuery } from "../components/usePageInQuery";
import { useCategoryPage } from "../queries/categories";
import { CategoryCard } from "./categories/CategoryCard";
import { CreateCategory } from "./categories/CreateCategory";
import { CardSkeletons } from "./datasets/CardSkeletons";
import classes from "./datasets/cards.module.css";
import { PageTitle } from "./shell/PageTitle";

/** All categories one may use. */
export function CategoriesPage() {
  const [page, setPage] = usePageInQuery();
  const list = useCategoryPage(page);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list;
  useLastPageAtMost(isPlaceholderData ? undefined : data?.pagination.pages);
  const [isCreating, creating] = useDisclosure(false);
  const total = data?.pagination.total ?? 0;
  return (
    <div className={classes.page}>
      <PageTitle>Categories</PageTitle>
      <ListHead title="Categories" note={data && `${data.categories.length} of ${total} loaded`} list={list}>
        <Button leftSection={<Plus size={15} />} onClick={creating.open}>
          Create
        </Button>
      </ListHead>
      {isPending && <CardSkeletons height={92} />}
      {error && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.categories.length === 0 && (
        <EmptyState icon={Tags} title="You need to create a category!">
          A category is what an outline stands for: person, car, left hand. Each has its colour on the picture.
          <Button leftSection={<Plus size={15} />} onClick={creating.open}>
            Create a category
          </Button>
        </EmptyState>
      )}
      {data && data.categories.length > 0 && (
        <div className={classes.grid} aria-busy={isFetching}>
          {data.categories.map((category) => (
            <CategoryCard key={category.id} category={category} />
          ))}
        </div>
      )}
      <div className={classes.pager}>
        <Pager page={page} pages={data?.pagination.pages ?? 0} onChange={setPage} />
      </div>
      <CreateCategory
        opened={isCreating}
        onClose={creating.close}
        color={KEYPOINT_PALETTE[total % KEYPOINT_PALETTE.length]!}
      />
    </div>
  );
}
