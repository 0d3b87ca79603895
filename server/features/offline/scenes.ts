import { type Kysely, sql } from "kysely";
import type { CopiedAnnotation } from "../../../shared/api/offline";
import type { Comment } from "../../../shared/entities/comment";
import { isLiveAnnotation } from "../../db/rows/annotations";
import { isLiveImage } from "../../db/rows/images";
import type { ImageRow, Schema } from "../../db/schema";
import { makePause } from "../../threads/makePause";
import { commentsOfImages } from "../comments/readComments";
import { type AnnotationTextRow, annotationText } from "../scene/annotationText";
import { deletedRuns } from "../scene/deletedIds";
import { sceneImage } from "../scene/frame";
import type { SceneHead, SceneImage } from "../scene/readHead";

/** Number of annotations that one transaction reads; a single image may exceed this limit and the next. */
const ROWS = 1000;
/** Bytes of the shapes as they are stored. */
const BYTES = 1_000_000;
/** Minimum number of characters of a yielded piece, except the last. */
const CHARACTERS = 50_000;

type ImageColumns = Omit<SceneImage, "used"> & Pick<ImageRow, "extra"> & Pick<SceneHead, "deleted">;
interface AnnotationColumns extends AnnotationTextRow {
  image_id: number;
  extra: string | null;
  imported: boolean;
}

export interface ScenesOptions {
  ids: readonly number[];
  /** True to include unknown keys of imported files. */
  withExtra: boolean;
}

/**
 * Yields the JSON of the scenes of a dataset's images in pieces, in the order of `ids`, and then the ids of images that
 * are deleted or not in the dataset. The image and the annotations of a scene are read as of the same moment. Shapes
 * are copied as they are stored. The caller must have checked that the user may see the dataset.
 */
export async function* scenes(
  db: Kysely<Schema>,
  datasetId: number,
  { ids, withExtra }: ScenesOptions,
): AsyncGenerator<string> {
  const missing = new Set(ids);
  const pause = makePause();
  let text = '{"scenes":[';
  let isFirst = true;
  for (const group of await groupsOf(db, datasetId, [...missing])) {
    const { images, annotations, comments } = await readGroup(db, datasetId, group);
    for (const id of group) {
      const image = images.get(id);
      if (!image) continue;
      missing.delete(id);
      const rows = annotations.get(id) ?? [];
      text += `${isFirst ? "" : ","}{"image":${imageText(image, rows, withExtra)},"annotations":[`;
      isFirst = false;
      for (const [at, row] of rows.entries()) {
        text += (at > 0 ? "," : "") + copiedText(row, withExtra);
        await pause();
        if (text.length < CHARACTERS) continue;
        yield text;
        text = "";
      }
      const ofImage = comments.get(id);
      text += ofImage ? `],"comments":${JSON.stringify(ofImage)}` : "]";
      text += image.deleted ? `,"deleted":${JSON.stringify(image.deleted)}}` : "}";
    }
  }
  yield `${text}],"missing":${JSON.stringify([...missing])}}`;
}

function imageText(image: ImageColumns, rows: readonly AnnotationColumns[], withExtra: boolean): string {
  const used = [...new Set(rows.map((row) => row.category_id))];
  const extra = withExtra && Object.keys(image.extra).length > 0 && { extra: image.extra };
  return JSON.stringify({ ...sceneImage({ ...image, used }), ...extra });
}

function copiedText(row: AnnotationColumns, withExtra: boolean): string {
  const stored = storedAs(row);
  const more = (stored ? `,"stored":"${stored}"` : "") + (withExtra && row.extra ? `,"extra":${row.extra}` : "");
  return `${annotationText(row, row.image_id).slice(0, -1)}${more}}`;
}

function storedAs({ shape, isbbox, iscrowd, imported }: AnnotationColumns): CopiedAnnotation["stored"] {
  if (shape !== null) return iscrowd && shape.startsWith("[") ? "list" : undefined;
  if (imported) return "absent";
  return isbbox ? "box" : undefined;
}

/** Splits images into consecutive groups whose annotations are read at once. */
async function groupsOf(db: Kysely<Schema>, datasetId: number, ids: readonly number[]): Promise<number[][]> {
  const { rows } = await sql<{ id: number; number: number; bytes: number }>`
    select i.id, count(a.id)::int as number, coalesce(sum(pg_column_size(a.shape)), 0)::float8 as bytes
    from images i left join annotations a on a.image_id = i.id and ${isLiveAnnotation("a")}
    where i.id = any(${ids}::int[]) and i.dataset_id = ${datasetId} and ${isLiveImage("i")}
    group by i.id`.execute(db);
  const sizes = new Map(rows.map((row) => [row.id, row]));
  const groups: number[][] = [];
  let total = { number: 0, bytes: 0 };
  for (const id of ids) {
    const size = sizes.get(id);
    if (!size) continue;
    total = { number: total.number + size.number, bytes: total.bytes + size.bytes };
    const group = groups.at(-1);
    if (group && total.number <= ROWS && total.bytes <= BYTES) group.push(id);
    else {
      groups.push([id]);
      total = size;
    }
  }
  return groups;
}

interface Group {
  images: Map<number, ImageColumns>;
  /** By image id, in order of id. */
  annotations: Map<number, AnnotationColumns[]>;
  comments: Map<number, Comment[]>;
}

/** Reads images, their annotations and comments as of one moment. */
async function readGroup(db: Kysely<Schema>, datasetId: number, ids: readonly number[]): Promise<Group> {
  const reading = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  const { images, annotations, comments } = await reading.execute(async (trx) => ({
    images: await sql<ImageColumns>`
      select i.id, i.file_name, i.path, i.width, i.height, i.annotated, i.num_annotations, i.dataset_id, i.metadata,
        i.labels, i.revision, i.milliseconds, i.done, i.open_threads, i.stage, i.returned_by,
        to_json(i.returned_at) #>> '{}' as returned_at, i.extra, ${deletedRuns(sql.ref("i.id"))} as deleted
      from images i join datasets d on d.id = i.dataset_id and d.deleted_at is null
      where i.id = any(${ids}::int[]) and i.dataset_id = ${datasetId} and ${isLiveImage("i")}`.execute(trx),
    annotations: await sql<AnnotationColumns>`
      select id, uuid, image_id, category_id, revision, shape::text as shape, area, bbox::text as bbox, iscrowd, isbbox,
        color, metadata::text as metadata, attributes::text as attributes, keypoints::text as keypoints, creator_name, extra::text as extra,
        import_id is not null as imported
      from annotations where image_id = any(${ids}::int[]) and ${isLiveAnnotation()}
      order by image_id, id`.execute(trx),
    comments: await commentsOfImages(trx, ids),
  }));
  const byImage = new Map(ids.map((id) => [id, [] as AnnotationColumns[]]));
  for (const row of annotations.rows) byImage.get(row.image_id)?.push(row);
  return { images: new Map(images.rows.map((row) => [row.id, row])), annotations: byImage, comments };
}
