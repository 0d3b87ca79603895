import { foldText } from "./fold";

/** Returns true if a text contains another, whatever its case, accents and Unicode form. All contain an empty one. */
export const hasText = (text: string, part = ""): boolean => foldText(text).includes(foldText(part));
