import { t } from "@lingui/core/macro";
import { useCallback, useEffect, useRef } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { showWarning } from "../../components/messages/toast";
import { getReach, isReachable } from "../../io/http/reachability";
import { localImage } from "../../io/images/imageAddress";

interface GoToOptions {
  /** Uuid of an annotation that is selected there. */
  annotation?: string | undefined;
  /** Returns true if the image must no longer be opened. */
  isGone?: () => boolean;
}

export type GoTo = (imageId: number, options?: GoToOptions) => void;

/** Id of the toast about an image that cannot be opened. */
const NOT_HERE = "image not here";

/**
 * Returns a function that opens another image if it is available. Looking for it in this browser may take a while: it is
 * not opened if the user has asked for another one, or has left the open image `id`, meanwhile.
 */
export function useGoTo(id: string): GoTo {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const query = search.toString();
  /** The open image; null after the page was left. */
  const open = useRef<string | null>(null);
  /** Number of images that were asked for. */
  const asked = useRef(0);
  useEffect(() => {
    open.current = id;
    return () => {
      open.current = null;
    };
  }, [id]);
  return useCallback(
    (next, { annotation, isGone } = {}) => {
      const from = open.current;
      asked.current += 1;
      const own = asked.current;
      void mayOpen(next).then((may) => {
        if (open.current !== from || asked.current !== own || isGone?.()) return;
        const hash = annotation === undefined ? "" : `#annotation=${annotation}`;
        if (may) void navigate(`/annotate/${next}${query && `?${query}`}${hash}`);
        else
          showWarning(
            t`Not available offline`,
            t`This image is not in this browser. Open it when the server is back.`,
            NOT_HERE,
          );
      });
    },
    [navigate, query],
  );
}

/**
 * Returns true if an image can be opened: from the server, or from this browser while the server is away. A server that
 * has just returned may still count as away.
 */
const mayOpen = async (id: number): Promise<boolean> =>
  getReach() === "reachable" || (await localImage(id)) !== undefined || (await isReachable());
