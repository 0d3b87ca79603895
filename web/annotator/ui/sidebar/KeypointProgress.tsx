import { t } from "@lingui/core/macro";
import { Button, Group } from "@mantine/core";
import { useDocument, useEditor, useKeypoints, useSelection } from "../../editor/context";
import { withKeys } from "../../keyboard/shortcuts";
import classes from "../common/Annotator.module.css";
import { useKeysOf } from "../common/useKeysOf";

/** Shows the next keypoint and the number of placed ones; without keypoints, a button to define them. */
export function KeypointProgress() {
  const { actions, keypoints, ui } = useEditor();
  const { next, placed, total } = useKeypoints((state) => state);
  const categoryId = useSelection((state) => state.category);
  const category = useDocument((state) => state.categories.find(({ id }) => id === categoryId));
  const keysOf = useKeysOf();
  if (!category) return null;
  if (total === 0)
    return (
      <div className={classes.hint}>
        <strong>{t`${{ name: category.name }} has no keypoints`}</strong>
        {category.permissions.edit ? (
          <Button size="compact-xs" variant="default" onClick={() => ui.open({ kind: "category", id: category.id })}>
            {t`Define Keypoints`}
          </Button>
        ) : (
          t`The category's creator or an admin can define them.`
        )}
      </div>
    );
  return (
    <div className={classes.hint}>
      <strong>
        {next ? (
          <>
            <span className={classes.swatch} style={{ background: next.color, display: "inline-block" }} />{" "}
            {t`Next: ${{ name: next.name }}`}
          </>
        ) : (
          t`All keypoints placed`
        )}{" "}
        <span className={classes.dim}>{t`${placed} of ${total}`}</span>
      </strong>
      {next && (
        <Group gap="xs" grow preventGrowOverflow={false} mt={6}>
          <Button
            size="compact-xs"
            variant="default"
            title={withKeys(t`Places all missing keypoints, ready to be moved`, keysOf("keypoint template"))}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => actions.placeAllKeypoints()}
          >
            {t`Place All`}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            title={withKeys(t`Continues with the next label`, keysOf("skip keypoint"))}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => keypoints.skip()}
          >
            {t`Skip`}
          </Button>
        </Group>
      )}
    </div>
  );
}
