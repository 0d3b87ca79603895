/** Code of keys that an input method handles: https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode */
const HANDLED_KEY = 229;

/**
 * Returns true if a key belongs to an input method (Chinese, Japanese, Korean). So does the Enter that ends a
 * composition, although Safari sends it after the composition's end and without `isComposing`.
 */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean =>
  isComposing || keyCode === HANDLED_KEY;
