import { plural, t } from "@lingui/core/macro";
import { Plus } from "lucide-react";
import { type FocusEvent, useState } from "react";
import { distinctColor } from "../../../../shared/color/distinctColor";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { useDocument, useEditor, usePicker } from "../../editor/context";
import { showKeys } from "../../keyboard/shortcuts";
import type { Picker } from "../../state/ui";
import { categoryChoices, newCategoryName } from "../../tree/categoryChoices";
import annotator from "../common/Annotator.module.css";
import { type Choice, ChoiceList } from "../common/ChoiceList";
import { useKeysOf } from "../common/useKeysOf";
import { showCategoryMade, useMakeCategory } from "../common/useMakeCategory";
import classes from "./LabelPicker.module.css";

/** Maximum number of categories that are listed; others are found by typing. */
const LISTED = 100;

/** The label picker, if it is open: a list of categories at the pointer. */
export function LabelPicker() {
  const picker = usePicker();
  return picker && <OpenPicker key={`${picker.at.x} ${picker.at.y} ${picker.targets.join()}`} picker={picker} />;
}

/**
 * Gives the chosen category to the target annotations, or to new ones. A name that is not in the list can be created.
 */
function OpenPicker({ picker: { targets, at } }: { picker: Picker }) {
  const editor = useEditor();
  const { ui, categories, commands } = editor;
  const [text, setText] = useState("");
  const document = useDocument((state) => state);
  const only = targets.length === 1 ? document.annotations.get(targets[0] ?? "")?.category_id : undefined;
  // The current category is not among the recent ones, so that Enter chooses a different one.
  const [recent] = useState(() => commands.recentCategories().filter((id) => id !== only));
  const make = useMakeCategory();
  const submit = useSubmitOnce(make);
  const close = () => {
    ui.closePicker();
    editor.focus();
  };
  const assign = (id: number) => {
    close();
    categories.assign(targets, id);
  };
  const found = categoryChoices(document, recent, text).slice(0, LISTED);
  const choices = found.map(({ id, name, color }): Choice => {
    return {
      id: String(id),
      group: text.trim() !== "" || recent.length === 0 ? "" : recent.includes(id) ? t`Recent` : t`All`,
      content: <Category id={id} name={name} color={color} note={id === only ? t`current` : ""} />,
      run: () => assign(id),
    };
  });
  const name = newCategoryName(document, text);
  if (name !== null)
    choices.push({
      id: "new",
      group: "",
      content: (
        <>
          <Plus size={14} className={classes.plus} />
          <span className={annotator.name}>{t`Create “${name}”`}</span>
        </>
      ),
      run: () =>
        submit(
          {
            name,
            color: distinctColor(document.categories.map(({ color }) => color)),
            supercategory: "",
            keypoints: [],
          },
          ({ category }) => assign(category.id),
          showCategoryMade,
        ),
    });
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // The picker stays open when the user switches to another window.
    if (!currentTarget.contains(relatedTarget) && window.document.hasFocus()) ui.closePicker();
  };
  return (
    <>
      {/* Keeps the press that closes the picker from drawing. */}
      <button type="button" tabIndex={-1} aria-label={t`Close`} className={classes.backdrop} onPointerDown={close} />
      <div
        className={classes.picker}
        style={{ left: `min(${at.x}px, 100% - 256px)`, top: `min(${at.y}px, 100% - 328px)` }}
        role="dialog"
        aria-label={t`Choose a category`}
        onMouseDown={(event) => event.target instanceof HTMLInputElement || event.preventDefault()}
        onBlur={handleBlur}
      >
        <ChoiceList
          label={titleFor(targets.length)}
          placeholder={titleFor(targets.length)}
          text={text}
          onText={setText}
          choices={choices}
          nothing={t`No categories yet. Type a name to create one.`}
          isBusy={make.isPending}
          onClose={close}
        />
      </div>
    </>
  );
}

function titleFor(count: number): string {
  if (count === 0) return t`Category of new annotations`;
  return plural(count, { one: "Category of this annotation", other: "Category of # annotations" });
}

function Category({ id, name, color, note }: { id: number; name: string; color: string; note: string }) {
  const place = useDocument((state) => state.numbered.indexOf(id));
  const [keys] = useKeysOf()(`category ${place + 1}`);
  return (
    <>
      <span className={annotator.swatch} style={{ background: color }} />
      <span className={annotator.name} title={name}>
        {name}
      </span>
      {note && <span className={annotator.dim}>{note}</span>}
      {keys && <kbd className={annotator.digit}>{showKeys(keys)}</kbd>}
    </>
  );
}
