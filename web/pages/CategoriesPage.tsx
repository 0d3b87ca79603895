import { Button, Group, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus, RefreshCw, Tags } from "lucide-react";
import { KEYPOINT_PALETTE } from "../../shared/constants";
import { EmptyState } from "../components/EmptyState";
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
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useCategoryPage(page);
  useLastPageAtMost(isPlaceholderData ? undefined : data?.pagination.pages);
  const [isCreating, creating] = useDisclosure(false);
  const total = data?.pagination.total ?? 0;
  return (
    <div className={classes.page}>
      <PageTitle>Categories</PageTitle>
      <Group gap="xs" mb="md" align="baseline">
        <Title order={1}>Categories</Title>
        <Text size="sm" c="dimmed" mr="auto">
          {data && `${data.categories.length} of ${total} loaded`}
        </Text>
        <Button leftSection={<Plus size={15} />} onClick={creating.open}>
          Create
        </Button>
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} />}
          loading={isFetching && !isPending}
          onClick={() => void refetch()}
        >
          Refresh
        </Button>
      </Group>
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
