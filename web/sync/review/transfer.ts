import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Edit } from "../../../shared/edits/edit";
import type { Json } from "../../../shared/entities/scalars";
import { uuid } from "../../io/uuid";
import type { JournalRow, Place } from "../journal/journal";
import { type AnnotationsByUuid, squashRows } from "../journal/squash";
import { subjectsOf } from "../journal/syncState";

/** A group's rows, translated to edits of an image of this installation. */
interface Transfer {
  /** One edit per subject, to be recorded in this installation. */
  changes: { edit: Edit; annotations: AnnotationsByUuid }[];
  /** `seq` of the rows that can be deleted once these edits are recorded. */
  done: number[];
  /** Names of categories that the image's dataset does not have; edits that need them are not transferred. */
  missing: string[];
}

/**
 * Translates rows of another installation to an image of this installation: sets the image's id and current revisions,
 * and maps categories by name. Modifies annotations that exist here and creates the others. `isSame`: true if the rows
 * were made on this image, so that new annotations keep their uuids; on another image they are copies with new uuids.
 */
export function transfer(
  rows: readonly JournalRow[],
  place: Place | undefined,
  scene: AnnotatorScene,
  isSame: boolean,
): Transfer {
  const missing = new Set<string>();
  const changes: Transfer["changes"] = [];
  const done: number[] = [];
  for (const subject of subjectsOf(rows)) {
    const translation = translate(subject, place, scene, isSame);
    for (const name of translation.missing) missing.add(name);
    if (translation.missing.length > 0) continue;
    const change = squashRows(translation.rows);
    if (change) changes.push(change);
    done.push(...subject.map(({ seq }) => seq));
  }
  return { changes, done, missing: [...missing] };
}

function translate(rows: readonly JournalRow[], place: Place | undefined, scene: AnnotatorScene, isSame: boolean) {
  const categories = new CategoryIds(place, scene);
  const newUuid = uuid();
  const translated = rows.map((row): JournalRow => {
    const edit = categories.inEdit({ ...row.edit, image_id: scene.image.id } as Edit);
    const isHere = edit.subject !== "annotation" || isSame || findAnnotation(scene, edit.target) !== undefined;
    const target = isHere ? edit : ({ ...edit, target: newUuid } as Edit);
    const { fields: _, reason: __, code: ___, ...rest } = row;
    return {
      ...rest,
      ...(row.rest && { rest: categories.inFields(row.rest) }),
      image_id: scene.image.id,
      edit: target,
      ...storedOf(target, scene),
    };
  });
  return { rows: translated, missing: [...categories.missing] };
}

const findAnnotation = (scene: AnnotatorScene, target: string) =>
  scene.categories.flatMap(({ annotations }) => annotations).find((annotation) => annotation.uuid === target);

/** Returns the fields of a conflict that describe the subject on the server. */
function storedOf(edit: Edit, scene: AnnotatorScene): { stored: Json; revision: number } {
  const found =
    edit.subject === "annotation"
      ? findAnnotation(scene, edit.target)
      : edit.subject === "image"
        ? scene.image
        : scene.categories.find(({ id }) => id === edit.target);
  return found ? { stored: { revision: found.revision }, revision: found.revision } : { stored: null, revision: 0 };
}

/** Maps category ids of another installation to ids of this installation, by name if the name is known. */
class CategoryIds {
  readonly missing = new Set<string>();

  constructor(
    private readonly place: Place | undefined,
    private readonly scene: AnnotatorScene,
  ) {}

  inEdit(edit: Edit): Edit {
    const target = edit.subject === "category" ? { target: this.idOf(edit.target) } : {};
    return { ...edit, ...target, before: this.inFields(edit.before), after: this.inFields(edit.after) } as Edit;
  }

  inFields<T extends object>(fields: T): T {
    const { category_id: category, labels } = fields as { category_id?: number; labels?: readonly number[] };
    return {
      ...fields,
      ...(category !== undefined && { category_id: this.idOf(category) }),
      ...(labels && { labels: labels.map((label) => this.idOf(label)) }),
    };
  }

  private idOf(id: number): number {
    const name = this.place?.categories[id];
    const found = this.scene.categories.find((category) =>
      name === undefined ? category.id === id : category.name === name,
    );
    if (!found) this.missing.add(name ?? `number ${id}`);
    return found?.id ?? id;
  }
}
