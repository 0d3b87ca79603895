import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Anchor, Button, FileButton } from "@mantine/core";
import { ImageOff, ImageUp } from "lucide-react";
import { type CSSProperties, lazy, Suspense, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useHref, useNavigate } from "react-router-dom";
import { lazyOrNothing } from "../../../components/late/lazyOrNothing";
import { EmptyState } from "../../../components/lists/EmptyState";
import { Pager } from "../../../components/lists/Pager";
import { useFocusAfter } from "../../../components/lists/useFocusAfter";
import { LoadError } from "../../../components/messages/LoadError";
import { NeedsServer } from "../../../components/offline/NeedsServer";
import { useLeases } from "../../../queries/assignment/leases";
import { type AboutDataset, assignableNames, type DatasetPage, useOutlines } from "../../../queries/dataset";
import { type LivePresence, usersAt } from "../../../queries/presence";
import { type QueryState, shownOf } from "../../../queries/queryState";
import { CardSkeletons } from "../../common/CardSkeletons";
import { useAbsentImages } from "../../offline/useAbsentImages";
import { type UploadFile, uploadFiles } from "../../uploads/uploads";
import { FilterChips } from "../filter/FilterChips";
import { type Filter, isNarrowed, NOT_NARROWED, searchOf } from "../filter/filter";
import { Breadcrumb } from "./Breadcrumb";
import type { BulkDialog } from "./BulkBar";
import { annotatorPath } from "./card/annotatorPath";
import { ShownOutlines } from "./card/CardOutlines";
import { ImageCard } from "./card/ImageCard";
import { StaleList } from "./card/staleList";
import classes from "./ImagesTab.module.css";
import { usePreview } from "./preview/usePreview";
import { useSelectedImages } from "./useSelectedImages";
import { handleCardKey } from "./view/cardKeys";
import { CARD_SIZE, useCardView } from "./view/useCardView";
import { ViewControls } from "./view/ViewControls";

const NO_IMAGES: readonly number[] = [];
const ImagePreview = lazyOrNothing(async () => (await import("./preview/ImagePreview")).ImagePreview);
const BulkBar = lazy(async () => ({ default: (await import("./BulkBar")).BulkBar }));

interface Props {
  list: QueryState<DatasetPage>;
  about: QueryState<AboutDataset>;
  presence: LivePresence | undefined;
  filter: Filter;
  onFilter: (part: Partial<Filter>) => void;
  page: number;
  onPage: (page: number) => void;
  onUpload: (files: UploadFile[]) => void;
}

/** Images of the open folder, as cards. */
export function ImagesTab({ list, about, presence, filter, onFilter, page, onPage, onUpload }: Props) {
  const shown = shownOf(list);
  const images = shown?.data.images;
  const mayUpload = about.state !== "loaded" || about.data.dataset.permissions.edit;
  // Stays enabled while a page loads, so that the user can go through pages quickly.
  const pages = shown && { page, pages: shown.data.pages, onChange: onPage };
  // Passed to the annotator, whose previous and next commands follow the same list.
  const search = searchOf(filter).toString();
  const cardSearch = useCardSearch(search, shown?.isStale ?? true);
  const selected = useSelectedImages({ list, filter, page });
  const [bulkDialog, setBulkDialog] = useState<BulkDialog>();
  const hasBar = bulkDialog !== undefined || (shown !== undefined && selected.count > 0);
  const region = useFocusAfter<HTMLElement>(hasBar);
  const absent = useAbsentImages(images?.map(({ id }) => id) ?? []);
  const openImage = useOpenImage(search);
  const base = useHref("/").replace(/\/$/, "");
  const dataset = about.state === "loaded" ? about.data.dataset : undefined;
  const names = dataset ? assignableNames(dataset) : [];
  const leases = useLeases(dataset?.id ?? 0, (dataset?.permissions.manage ?? false) && names.length > 1);
  const view = useCardView();
  const outlined = useMemo(
    () => images?.filter((image) => image.num_annotations > 0).map(({ id }) => id) ?? [],
    [images],
  );
  const { preview, toggle, close, handlers } = usePreview();
  const previewed = preview && images?.find(({ id }) => id === preview.id);
  const outlines = useOutlines(dataset?.id, view.hasOutlines ? outlined : NO_IMAGES);
  return (
    <section className={classes.tab} ref={region} tabIndex={-1} aria-label={t`Images of this folder`}>
      {about.state === "loaded" && hasBar && (
        <Suspense>
          <BulkBar
            datasetId={about.data.dataset.id}
            folder={filter.folder}
            selected={selected}
            total={shown?.data.total ?? 0}
            categories={about.data.categories}
            permissions={about.data.dataset.permissions}
            isReviewed={about.data.dataset.review}
            members={names}
            dialog={bulkDialog}
            onDialog={setBulkDialog}
          />
        </Suspense>
      )}
      <div className={classes.top}>
        {filter.folder !== "" && (
          <Breadcrumb dataset={dataset?.name ?? ""} folder={filter.folder} onOpen={(folder) => onFilter({ folder })} />
        )}
        <FilterChips
          filter={filter}
          onFilter={onFilter}
          categories={about.state === "loaded" ? about.data.categories : []}
        />
        {images && images.length > 0 && <ViewControls view={view} outlines={outlines} />}
        {pages && <Pager {...pages} />}
      </div>
      {list.state === "loading" && !images?.length && (
        <CardSkeletons count={12} height={196} grid={classes.grid} style={sizesOf(view.size)} />
      )}
      {list.state === "failed" && (
        <LoadError
          title={dataset ? t`The images could not be loaded` : t`This dataset could not be loaded`}
          error={list.error}
          onRetry={() => void list.retry()}
        />
      )}
      {list.state === "loaded" && list.data.images.length === 0 && (
        <EmptyState icon={isNarrowed(filter) ? ImageOff : ImageUp} title={t`No images found in directory.`}>
          {isNarrowed(filter) ? (
            <Anchor component="button" fz="sm" onClick={() => onFilter(NOT_NARROWED)}>
              {t`Clear the filters`}
            </Anchor>
          ) : (
            <>
              <Trans>
                Drop images, folders or zip files anywhere on this page. Or put them into the folder{" "}
                {list.data.directory} on the server and press Scan.
              </Trans>
              {mayUpload && (
                <FileButton multiple onChange={(files) => onUpload(uploadFiles(files))}>
                  {(props) => (
                    <NeedsServer>
                      <Button {...props}>{t`Choose images`}</Button>
                    </NeedsServer>
                  )}
                </FileButton>
              )}
            </>
          )}
        </EmptyState>
      )}
      {images && images.length > 0 && dataset && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links in it
        <div
          className={classes.grid}
          aria-busy={list.isFetching}
          data-stale={shown.isStale || undefined}
          data-selecting={selected.count > 0 || undefined}
          style={sizesOf(view.size)}
          onKeyDown={(event) => handleCardKey(event, selected.toggle, { toggle, close })}
          {...handlers}
        >
          <StaleList value={shown.isStale}>
            <ShownOutlines value={view.hasOutlines ? shownOf(outlines)?.data : undefined}>
              {images.map((image) => (
                <ImageCard
                  key={image.id}
                  image={image}
                  users={usersAt(presence, image, shown.data.requestedAt)}
                  lessee={leases.get(image.id)}
                  datasetId={dataset.id}
                  search={cardSearch}
                  base={base}
                  permissions={dataset.permissions}
                  isReviewed={dataset.review}
                  isAbsent={absent.has(image.id)}
                  isSelected={selected.has(image.id)}
                  onOpen={openImage}
                  onSelect={selected.toggle}
                />
              ))}
            </ShownOutlines>
          </StaleList>
        </div>
      )}
      {previewed && dataset && about.state === "loaded" && (
        <ImagePreview
          key={previewed.id}
          preview={preview}
          image={previewed}
          datasetId={dataset.id}
          categories={about.data.categories}
        />
      )}
      <div className={classes.bottom}>{pages && <Pager {...pages} label={t`Pages, below the images`} />}</div>
    </section>
  );
}

/** Returns the sizes of the grid's cards. Up to the default size, a phone still shows two cards beside each other. */
const sizesOf = (size: number): CSSProperties =>
  ({
    "--card-size": `${size}px`,
    "--card-most": size > CARD_SIZE.default ? "100%" : "calc(50% - 5px)",
  }) as CSSProperties;

/**
 * Returns the URL parameters for the links of the cards. They change only when the new list is shown, so that the cards
 * of the previous list are not rendered again; a click uses the current parameters anyway.
 */
function useCardSearch(search: string, isStale: boolean): string {
  const [shown, setShown] = useState(search);
  if (isStale || shown === search) return shown;
  setShown(search);
  return search;
}

/**
 * Returns a function that opens an image in the annotator. The function never changes, so that cards are not rendered
 * again.
 */
function useOpenImage(search: string): (imageId: number) => void {
  const navigate = useNavigate();
  const latest = useRef(search);
  useLayoutEffect(() => {
    latest.current = search;
  }, [search]);
  return useCallback((id) => void navigate(annotatorPath(id, latest.current)), [navigate]);
}
