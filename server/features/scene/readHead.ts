import { type Kysely, sql } from "kysely";
import type { Metadata } from "../../../shared/entities/scalars";
import { imageNotFound } from "../../base/errors";
import { type CurrentUser, maySee } from "../../base/permissions";
import { preparedStatement } from "../../db/preparedStatements";
import { isLiveCategory } from "../../db/rows/categories";
import { isLiveImage } from "../../db/rows/images";
import type { CategoryRow, ImageRow, Schema } from "../../db/schema";
import { isShown, type ShownComment, shownColumns } from "../comments/commentRow";
import { type DatasetWithNames, namesOfDataset, tiesOf } from "../datasets/datasetDocument";
import { deletedRuns } from "./deletedIds";
import { isInScene, ringsPage, versionText } from "./ringsPage";

/** Everything in a scene except its annotations, read in one statement. */
export interface SceneHead {
  image: SceneImage;
  dataset: SceneDataset;
  preferences: Metadata;
  /** Oldest first; null if there are none. */
  comments: ShownComment[] | null;
  /** Categories that the dataset lists, that are ticked, or that have annotations (deleted categories too); by id. */
  categories: SceneCategoryRow[];
  /** `versionText` of each annotation in order of id, separated by spaces. */
  versions: string;
  /** Length of all their shapes as they are stored. */
  bytes: number;
  /** `deletedRuns` of the image. */
  deleted: [number, number][] | null;
  /** The annotations as `ringsPage`, if they were asked for. Null if they exceed the limits of one statement. */
  page?: string | null;
}

export type SceneImage = Pick<
  ImageRow,
  | "id"
  | "file_name"
  | "path"
  | "width"
  | "height"
  | "annotated"
  | "num_annotations"
  | "dataset_id"
  | "metadata"
  | "labels"
  | "revision"
  | "milliseconds"
  | "done"
  | "stage"
  | "returned_by"
  | "open_threads"
> & {
  returned_at: string | null;
  /** Distinct category ids of the annotations, in ascending order. */
  used: number[];
};

type SceneDataset = Omit<DatasetWithNames, "created_at" | "deleted_at" | "deleted_by" | "purged_at">;

export type SceneCategoryRow = Pick<
  CategoryRow,
  | "id"
  | "name"
  | "supercategory"
  | "color"
  | "metadata"
  | "keypoints"
  | "attributes"
  | "creator_id"
  | "creator_name"
  | "revision"
>;

/** Limits of one statement. The embedded database never returns the memory of its longest result. */
export const PAGE = { pageRows: 1_000, pageBytes: 2_000_000 };

/**
 * Reads the head of an image's scene in one statement. Throws 404 if the user cannot see the image. The columns are
 * listed, because every selected column is sent to the client as JSON. `withPage`: reads the annotations too.
 */
export async function readHead(
  db: Kysely<Schema>,
  user: CurrentUser,
  imageId: number,
  withPage = false,
): Promise<SceneHead> {
  const { owner, members, categories, role } = namesOfDataset;
  const { pageRows, pageBytes } = PAGE;
  const isOnePage = sql`(select count(*) <= ${pageRows} and coalesce(sum(bytes), 0) <= ${pageBytes} from shown)`;
  const page = sql`
    case when ${isOnePage} then (select ${ringsPage} from annotations where ${isInScene(imageId)}) end as page,`;
  const { rows } = await sql<SceneHead>`
    with shown as materialized (
      select id, category_id, ${versionText} as version, pg_column_size(shape) as bytes
      from annotations where ${isInScene(imageId)}
    )
    select ${withPage ? page : sql``}
      (select to_json(i) from (
        select images.id, file_name, path, width, height, annotated, num_annotations, dataset_id, metadata, labels,
          revision, milliseconds, done, stage, returned_by, returned_at, open_threads,
            array(select distinct category_id from shown order by 1) as used) i) as image,
      (select to_json(d) from (
        select datasets.id, name, datasets.folder, owner_id, annotate_url, default_annotation_metadata, review,
          queue_order, queue_assigned_only,
          ${owner} as owner, ${members} as members, ${categories} as categories, ${role(user)} as role) d
      ) as dataset,
      coalesce((select preferences from users where id = ${user.id}::integer), '{}') as preferences,
      (select json_agg(s order by s.created_at, s.uuid) from (
        select ${shownColumns} from comments c where c.image_id = images.id and ${isShown}) s) as comments,
      (select coalesce(json_agg(c order by c.id), '[]') from (
        select id, name, supercategory, color, metadata, keypoints, attributes, creator_id, creator_name, revision from categories
        where id in (
            select category_id from dataset_categories where dataset_id = datasets.id
            union select category_id from shown union select unnest(images.labels))
          and (${isLiveCategory()} or id in (select category_id from shown))) c) as categories,
      (select coalesce(string_agg(version, ' ' order by id), '') from shown) as versions,
      (select coalesce(sum(bytes), 0)::float8 from shown) as bytes,
      ${deletedRuns(sql.ref("images.id"))} as deleted
    from images join datasets on datasets.id = images.dataset_id
    where images.id = ${imageId}::integer and ${isLiveImage()} and datasets.deleted_at is null
    ${preparedStatement}`.execute(db);
  const [head] = rows;
  if (!head || !maySee(user, tiesOf(head.dataset))) throw imageNotFound();
  return head;
}
