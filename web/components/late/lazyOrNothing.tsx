import { type ComponentType, useEffect, useState } from "react";
import { onReturn } from "../../io/http/reachability";

/**
 * Returns a component that is loaded when it is first shown, and shows `Meanwhile` or nothing until then. If it cannot
 * be loaded, such as without a network, it is tried again whenever the server returns. For parts that a page also works
 * without. `load` must not depend on the page: all places share what it returns.
 */
export function lazyOrNothing<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
) {
  let loading: Promise<ComponentType<Props> | undefined> | undefined;
  let loaded: ComponentType<Props> | undefined;

  function loadOnce(): Promise<ComponentType<Props> | undefined> {
    loading ??= load().then(
      (part) => {
        loaded = part;
        return part;
      },
      () => {
        loading = undefined;
        return undefined;
      },
    );
    return loading;
  }

  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      let isOver = false;
      const attempt = async () => {
        const part = await loadOnce();
        if (part && !isOver) setPart(() => part);
      };
      void attempt();
      const stop = onReturn(() => void attempt());
      return () => {
        isOver = true;
        stop();
      };
    }, [Part]);
    const Shown = Part ?? Meanwhile;
    return Shown ? <Shown {...props} /> : null;
  };
}
