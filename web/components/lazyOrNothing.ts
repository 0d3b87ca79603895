import { type ComponentType, lazy } from "react";

/**
 * Returns a component that is loaded when it is first shown, and shows nothing where it cannot be loaded, such as
 * without a network or while the page is being left. For parts that a page also works without. `load` must not depend
 * on the page: it runs once.
 */
export function lazyOrNothing<Props = object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: () => null };
    }
  });
}
