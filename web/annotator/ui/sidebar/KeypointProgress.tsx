import { Button, Group } from "@mantine/core";
import { useDocument, useEditor, useKeypoints, useSelection } from "../../editor/context";
import { showKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";

/** Shows the next keypoint and the number of placed ones; without keypoints, a button to define them. */
export function KeypointProgress() {
  const { actions, keypoints, ui } = useEditor();
  const { next, placed, total } = useKeypoints((state) => state);
  const categoryId = useSelection((state) => state.category);
  const category = useDocument((state) => state.categories.find(({ id }) => id === categoryId));
  const keysOf = useKeysOf();
  const keys = (id: string) => {
    const [first] = keysOf(id);
    return first ? ` (${showKeys(first)})` : "";
  };
  if (!category) return null;
  if (total === 0)
    return (
      <div className={classes.hint}>
        <strong>{category.name} has no keypoints</strong>
        {category.permissions.edit ? (
          <Button size="compact-xs" variant="default" onClick={() => ui.open({ kind: "category", id: category.id })}>
            Define Keypoints
          </Button>
        ) : (
          "The category's creator or an admin can define them."
        )}
      </div>
    );
  return (
    <div className={classes.hint}>
      <strong>
        {next ? (
          <>
            <span className={classes.swatch} style={{ background: next.color, display: "inline-block" }} /> Next:{" "}
            {next.name}
          </>
        ) : (
          "All keypoints placed"
        )}{" "}
        <span className={classes.dim}>
          {placed} of {total}
        </span>
      </strong>
      {next && (
        <Group gap="xs" grow mt={6}>
          <Button
            size="compact-xs"
            variant="default"
            title={`Places all missing keypoints, ready to be moved${keys("keypoint template")}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => actions.placeAllKeypoints()}
          >
            Place All
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            title={`Continues with the next label${keys("skip keypoint")}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => keypoints.skip()}
          >
            Skip
          </Button>
        </Group>
      )}
    </div>
  );
}
