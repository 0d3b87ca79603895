import { plural, t } from "@lingui/core/macro";
import type { DatasetFigures } from "../../../shared/api/datasets/datasetFigures";
import type { Category } from "../../../shared/entities/category";
import classes from "./DatasetCard.module.css";

interface Props {
  figures: DatasetFigures | undefined;
  categories: ReadonlyMap<number, Category>;
}

/** Bar whose parts show how many images have annotations of each category, in its colour. */
export function CategoryBar({ figures, categories }: Props) {
  const parts = (figures?.categories ?? []).flatMap(({ id, images }) => {
    const category = categories.get(id);
    return category ? [{ ...category, images }] : [];
  });
  const texts = parts.map(({ name, images }) =>
    plural(images, { one: `${name}: # image`, other: `${name}: # images` }),
  );
  const list = texts.join(", ");
  if (parts.length === 0) return <div className={classes.bar} aria-hidden />;
  return (
    <div className={classes.bar} role="img" aria-label={t`Images by category: ${list}`} title={texts.join("\n")}>
      {parts.map(({ id, color, images }) => (
        <span key={id} style={{ background: color, flexGrow: images }} />
      ))}
    </div>
  );
}
