import { plural, t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { changedFields } from "../../../../shared/edits/changedFields";
import { same } from "../../../../shared/edits/same";
import { toolChange, toolOfCategory } from "../../../../shared/rules/categoryTool";
import { attributesOf, rowsOfAttributes } from "../../../components/attributes/attributeRows";
import { FormModal } from "../../../components/forms/FormModal";
import { useSubmitOnce } from "../../../components/forms/useSubmitOnce";
import { rowsOf } from "../../../components/keypoints/keypointRows";
import { LabelsQuestion } from "../../../components/keypoints/LabelsQuestion";
import { showError, showSuccess } from "../../../components/messages/toast";
import type { SceneCategory } from "../../document/document";
import { useDocument, useEditor } from "../../editor/context";
import { definitionFieldsOf } from "../../keypoints/model/definition";
import { lostLabels, redefinition } from "../../keypoints/model/redefinition";
import { useCloseIfGone } from "../common/useCloseIfGone";
import { CategoryForm, type CategoryValues } from "./CategoryForm";
import { useStoreCategory } from "./useStoreCategory";

/** Dialog with a category's settings. */
export function CategoryDialog({ id }: { id: number }) {
  const category = useDocument((state) => state.categories.find((each) => each.id === id));
  useCloseIfGone(category === undefined);
  return category ? <Settings category={category} /> : null;
}

/**
 * The settings form. Colour, keypoints and attributes are one edit, which works offline and can be undone. If a name or
 * the tool changes too, all changes are one request, so that none is stored if another is refused. Asks before it
 * removes labels that have keypoints.
 */
function Settings({ category: now }: { category: SceneCategory }) {
  const { document, commands, ui } = useEditor();
  // The category when the form was opened: the form's rows identify labels by position.
  const [category] = useState(now);
  const [asked, setAsked] = useState<CategoryValues | null>(null);
  const { id, name, color, supercategory } = category;
  const storeAll = useStoreCategory(category);
  const save = useMutation({
    mutationFn: async (values: CategoryValues) => {
      const keypoints = redefinition(category, values.keypoints);
      const defined = attributesOf(values.attributes);
      const attributes = same(defined, category.attributes ?? []) ? {} : { attributes: defined };
      const look = values.color.toLowerCase() === color ? {} : { color: values.color.toLowerCase() };
      const change = { ...look, ...keypoints, ...attributes };
      const present = document.category(id);
      if (!present) return;
      // Users learn at once of what the server would refuse.
      if (keypoints.keypoint_labels && !same(definitionFieldsOf(category), definitionFieldsOf(present)))
        throw new Error("Another user has changed the keypoints in the meantime. Close the form and open it again.");
      if (attributes.attributes && !same(category.attributes ?? [], present.attributes ?? []))
        throw new Error("Another user has changed the attributes in the meantime. Close the form and open it again.");
      const { tool = null } = values;
      const named = {
        ...changedFields({ name, supercategory }, { name: values.name, supercategory: values.supercategory }),
        ...(tool !== toolOfCategory(category) && toolChange(tool)),
      };
      if (Object.keys(named).length > 0) await storeAll(named, change);
      else if (Object.keys(change).length > 0) commands.changeCategory(id, change);
    },
    onError: showError,
  });
  const submitOnce = useSubmitOnce(save);
  const submit = (values: CategoryValues) => submitOnce(values, () => ui.close(), showStored);
  const showStored = () =>
    showSuccess(t`Updating category`, t`The category “${{ name: document.category(id)?.name ?? "" }}” was updated.`);
  const lost = (values: CategoryValues) =>
    lostLabels(category, values.keypoints, document.ofCategory(id)).filter(({ count }) => count > 0);
  const handleSubmit = (values: CategoryValues) => (lost(values).length > 0 ? setAsked(values) : submit(values));
  const handleClose = () => {
    if (!asked) ui.close();
    else if (!save.isPending) setAsked(null);
  };
  return (
    <FormModal
      opened
      size="lg"
      returnFocus={false}
      onClose={handleClose}
      isForm={asked === null}
      title={asked ? t`Remove keypoints` : t`Category ${{ name: now.name }}`}
    >
      <div hidden={asked !== null}>
        <CategoryForm
          initial={{
            name,
            color,
            supercategory,
            keypoints: rowsOf(category),
            attributes: rowsOfAttributes(category.attributes),
            tool: toolOfCategory(category),
          }}
          submit={t`Update`}
          isBusy={save.isPending}
          onSubmit={handleSubmit}
        />
      </div>
      {asked && (
        <LabelsQuestion
          labels={lost(asked).map(({ label: { id, name }, count }) => ({
            id,
            text: plural(count, { one: `${name}: # point`, other: `${name}: # points` }),
          }))}
          isBusy={save.isPending}
          onCancel={() => setAsked(null)}
          onRemove={() => submit(asked)}
        >
          {t`These labels have keypoints on this image. If you remove the labels, these keypoints are hidden here and on other images; adding a label with the same name shows them again.`}
        </LabelsQuestion>
      )}
    </FormModal>
  );
}
