import { Anchor, Button, FileButton } from "@mantine/core";
import { ImageOff, ImageUp } from "lucide-react";
import { lazy, Suspense } from "react";
import { EmptyState } from "../../components/EmptyState";
import { Pager } from "../../components/Pager";
import { useFocusAfter } from "../../components/useFocusAfter";
import type { useDatasetPage } from "../../queries/dataset";
import { CardSkeletons } from "../datasets/CardSkeletons";
import { Breadcrumb } from "./Breadcrumb";
import { type Filter, isNarrowed, NOT_NARROWED, searchOf } from "./filter";
import { ImageCard } from "./ImageCard";
import classes from "./ImagesTab.module.css";
import { type UploadFile, uploadFiles } from "./uploads";
import { useSelectedImages } from "./useSelectedImages";

const BulkBar = lazy(async () => ({ default: (await import("./BulkBar")).BulkBar }));

interface Props {
  list: ReturnType<typeof useDatasetPage>;
  filter: Filter;
  onFilter: (part: Partial<Filter>) => void;
  page: number;
  onPage: (page: number) => void;
  onUpload: (files: UploadFile[]) => void;
}

/** The pictures of the open folder, as cards. */
export function ImagesTab({ list, filter, onFilter, page, onPage, onUpload }: Props) {
  const { data, isFetching, isPlaceholderData } = list;
  const pages = { page, pages: data?.pages ?? 0, onChange: onPage };
  // The annotator walks the same list with its previous and next.
  const search = searchOf(filter).toString();
  const selected = useSelectedImages(data?.images ?? [], data?.total ?? 0, search);
  const region = useFocusAfter<HTMLElement>(selected.count > 0);
  return (
    <section className={classes.tab} ref={region} tabIndex={-1} aria-label="Images of this folder">
      {data && selected.count > 0 && (
        <Suspense>
          <BulkBar
            datasetId={data.dataset.id}
            filter={filter}
            selected={selected}
            total={data.total}
            categories={data.categories}
            permissions={data.dataset.permissions}
          />
        </Suspense>
      )}
      <div className={classes.top}>
        <Breadcrumb
          dataset={data?.dataset.name ?? ""}
          folder={filter.folder}
          onOpen={(folder) => onFilter({ folder })}
        />
        <Pager {...pages} />
      </div>
      {!data && <CardSkeletons count={12} height={196} />}
      {data?.images.length === 0 && (
        <EmptyState icon={isNarrowed(filter) ? ImageOff : ImageUp} title="No images found in directory.">
          {isNarrowed(filter) ? (
            <Anchor component="button" fz="sm" onClick={() => onFilter(NOT_NARROWED)}>
              Clear the filters
            </Anchor>
          ) : (
            <>
              Drop pictures, folders or zip files anywhere on this page. Or put them into the folder {data.directory} on
              the server and press Scan.
              <FileButton multiple onChange={(files) => onUpload(uploadFiles(files))}>
                {(props) => <Button {...props}>Choose pictures</Button>}
              </FileButton>
            </>
          )}
        </EmptyState>
      )}
      {data && data.images.length > 0 && (
        <div
          className={classes.grid}
          aria-busy={isFetching}
          data-stale={isPlaceholderData || undefined}
          data-selecting={selected.count > 0 || undefined}
        >
          {data.images.map((image) => (
            <ImageCard
              key={image.id}
              image={image}
              datasetId={data.dataset.id}
              search={search}
              permissions={data.dataset.permissions}
              isSelected={selected.has(image.id)}
              onSelect={(isRange) => selected.toggle(image.id, isRange)}
            />
          ))}
        </div>
      )}
      <div className={classes.bottom}>
        <Pager {...pages} label="Pages, below the images" />
      </div>
    </section>
  );
}
