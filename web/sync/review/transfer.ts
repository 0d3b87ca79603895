import type { AnnotatorScene } from "../../../shared/api/annotator";
import type { Edit } from "../../../shared/edits/edit";
import type { Json } from "../../../shared/entities/scalars";
import { uuid } from "../../io/uuid";
import type { JournalRow, Place } from "../journal/journal";
import { renewed, type Wholes } from "../journal/renewed";
import { subjectsOf } from "../journal/syncState";

/** A group's rows as edits of an image of this installation. */
interface Transfer {
  /** One edit for each subject, to be recorded here. */
  changes: { edit: Edit; wholes: Wholes }[];
  /** Numbers of the rows that are done with when these edits are recorded. */
  done: number[];
  /** Names of categories that the image's dataset does not have; what needs them stays where it is. */
  missing: string[];
}

/**
 * Translates rows of another installation to an image here: its number, the revisions that it has now, categories by
 * their names. Annotations that are here are changed, others are made anew. `isSame`: the image is the one on which the
 * rows were made, so its annotations keep their uuids; on another image they are copies with uuids of their own.
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
    const change = renewed(translation.rows);
    if (change) changes.push(change);
    done.push(...subject.map(({ seq }) => seq));
  }
  return { changes, done, missing: [...missing] };
}

function translate(rows: readonly JournalRow[], place: Place | undefined, scene: AnnotatorScene, isSame: boolean) {
  const categories = new CategoryNumbers(place, scene);
  const fresh = uuid();
  const translated = rows.map((row): JournalRow => {
    const edit = categories.inEdit({ ...row.edit, image_id: scene.image.id } as Edit);
    const isHere = edit.subject !== "annotation" || isSame || findAnnotation(scene, edit.target) !== undefined;
    const target = isHere ? edit : ({ ...edit, target: fresh } as Edit);
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

/** The subject as the server has it, in the form of a conflict. */
function storedOf(edit: Edit, scene: AnnotatorScene): { stored: Json; revision: number } {
  const found =
    edit.subject === "annotation"
      ? findAnnotation(scene, edit.target)
      : edit.subject === "image"
        ? scene.image
        : scene.categories.find(({ id }) => id === edit.target);
  return found ? { stored: { revision: found.revision }, revision: found.revision } : { stored: null, revision: 0 };
}

/** Category numbers of another installation, as numbers of this one: by name, where the name is known. */
class CategoryNumbers {
  readonly missing = new Set<string>();

  constructor(
    private readonly place: Place | undefined,
    private readonly scene: AnnotatorScene,
  ) {}

  inEdit(edit: Edit): Edit {
    const target = edit.subject === "category" ? { target: this.numberOf(edit.target) } : {};
    return { ...edit, ...target, before: this.inFields(edit.before), after: this.inFields(edit.after) } as Edit;
  }

  inFields<T extends object>(fields: T): T {
    const { category_id: category, labels } = fields as { category_id?: number; labels?: readonly number[] };
    return {
      ...fields,
      ...(category !== undefined && { category_id: this.numberOf(category) }),
      ...(labels && { labels: labels.map((label) => this.numberOf(label)) }),
    };
  }

  private numberOf(id: number): number {
    const name = this.place?.categories[id];
    const found = this.scene.categories.find((category) =>
      name === undefined ? category.id === id : category.name === name,
    );
    if (!found) this.missing.add(name ?? `number ${id}`);
    return found?.id ?? id;
  }
}
