import type { CheckedAnnotation, CheckedImage } from "../../../../shared/quality/checkedImage";
import type { Finding } from "../../../../shared/quality/finding";
import type { ComparedImage } from "../../../../shared/quality/images/similarFindings";
import type { StoredLook } from "../look/lookRows";

/** An annotation whose shape is still text, so that the thread parses it. */
export type UnparsedAnnotation = Omit<CheckedAnnotation, "shape"> & { shape: string | null };
export type UnparsedImage = Omit<CheckedImage, "annotations"> & { annotations: UnparsedAnnotation[] };

/** Requests to the thread of the quality check, and its response. */
export type CheckQuestion = { images: UnparsedImage[] } | { compared: ComparedImage[] } | { looks: StoredLook[] };
export type CheckAnswer = Finding[];
