import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { FindingKind } from "../../../../shared/quality/finding";

/** Name of each kind of finding, and why it spoils training. */
export const KIND_TEXTS: Record<FindingKind, { name: MessageDescriptor; reason: MessageDescriptor }> = {
  leak: {
    name: msg`Leaks between splits`,
    reason: msg`The same or nearly the same image is in two splits (folders or labels such as train, val and test), so the test is easier than reality.`,
  },
  sameImage: {
    name: msg`Equal images`,
    reason: msg`The file has the same bytes as another image of the dataset.`,
  },
  similarImage: {
    name: msg`Nearly equal images`,
    reason: msg`The image looks like another one, for example scaled, compressed or slightly cropped.`,
  },
  unreadable: {
    name: msg`Unreadable images`,
    reason: msg`The file is missing, damaged or was changed after its scan.`,
  },
  blank: { name: msg`Blank images`, reason: msg`The whole image has one brightness.` },
  turned: {
    name: msg`Images stored turned`,
    reason: msg`The file's EXIF orientation turns the image. Training programs that ignore it read the annotations at the wrong place.`,
  },
  unlabelled: {
    name: msg`Skipped images`,
    reason: msg`The image has no annotations, but its neighbours in the folder have. Mark it as done if it is empty on purpose.`,
  },
  duplicate: {
    name: msg`Duplicate annotations`,
    reason: msg`Two annotations of one category cover the same place. The fix deletes the newer one.`,
  },
  contradiction: {
    name: msg`Contradicting categories`,
    reason: msg`Two annotations of different categories cover the same place.`,
  },
  boxMismatch: {
    name: msg`Boxes that do not fit`,
    reason: msg`The box of the annotation is not the one around its outline. The fix computes the box again.`,
  },
  outside: {
    name: msg`Outside the image`,
    reason: msg`The annotation reaches beyond the image. The fix cuts it off at the border.`,
  },
  sliver: { name: msg`Slivers`, reason: msg`The annotation is far longer than it is thick. The fix deletes it.` },
  tiny: { name: msg`Tiny annotations`, reason: msg`The annotation has only a few pixels. The fix deletes it.` },
  crossing: {
    name: msg`Outlines that cross themselves`,
    reason: msg`The outline has a loop, so programs disagree about what is inside.`,
  },
  pieces: { name: msg`Many pieces`, reason: msg`The outline consists of unusually many pieces.` },
  pointsOutside: {
    name: msg`Keypoints outside the box`,
    reason: msg`Labelled keypoints are far outside the annotation's box.`,
  },
  missingPoint: {
    name: msg`Missing keypoints`,
    reason: msg`Nearly all other annotations of the category have this keypoint.`,
  },
  unlikelyCategory: {
    name: msg`Unlikely categories`,
    reason: msg`The object looks like those of another category. The fix changes the annotation to that category. Large datasets are compared in parts: each check looks at more annotations.`,
  },
  unlikelyOutline: {
    name: msg`Unlikely outlines`,
    reason: msg`DEXTR draws another outline through the outermost points of the annotation. Look at these first.`,
  },
  unusualSize: {
    name: msg`Unusual sizes`,
    reason: msg`The annotation is far larger or smaller than the others of its category. Its category may be wrong.`,
  },
  unusualShape: {
    name: msg`Unusual proportions`,
    reason: msg`The annotation is far wider or narrower than the others of its category. Its category may be wrong.`,
  },
  rareCategory: {
    name: msg`Rare categories`,
    reason: msg`The category has far fewer annotations than the others.`,
  },
};
