import { t } from "@lingui/core/macro";
import type { Command } from "../../keyboard/shortcuts";
import type { Keypoints } from "../../keypoints/Keypoints";
import type { Actions } from "../actions";

/** Key commands for the keypoints of the selected annotation. */
export function keypointCommands({ actions, keypoints }: { actions: Actions; keypoints: Keypoints }): Command[] {
  return [
    {
      id: "keypoint template",
      name: t`Place All Keypoints`,
      group: "Annotations",
      keys: [["shift", "k"]],
      run: () => actions.placeAllKeypoints(),
    },
    {
      id: "skip keypoint",
      name: t`Skip Next Keypoint`,
      group: "Annotations",
      keys: [["x"]],
      repeats: true,
      run: () => keypoints.skip(),
    },
    {
      id: "keypoint visibility",
      name: t`Change Visibility of Keypoint`,
      group: "Annotations",
      keys: [["shift", "x"]],
      run: () => keypoints.cycleVisibility(),
    },
  ];
}
