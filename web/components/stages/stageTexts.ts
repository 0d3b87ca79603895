import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { ListedStage } from "../../../shared/api/datasets/datasetImages";
import { i18n } from "../../languages/i18n";

const TEXTS: Record<ListedStage, MessageDescriptor> = {
  open: msg`Open`,
  new: msg({ message: "New", context: "stage of an image" }),
  annotating: msg`Annotating`,
  to_review: msg`To review`,
  returned: msg({ message: "Returned", context: "stage of an image" }),
  accepted: msg({ message: "Accepted", context: "stage of an image" }),
};

/** Returns the name of a stage. */
export const stageText = (stage: ListedStage): string => i18n._(TEXTS[stage]);
