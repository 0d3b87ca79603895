import { t } from "@lingui/core/macro";
import { ImageOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { THUMBNAIL_WIDTH } from "../../shared/constants";
import { getReach, onReturn } from "../io/http/reachability";
import { localThumbnail, scaledAddress, serverThumbnail } from "../io/images/imageAddress";

/** Pause before a thumbnail that could not be loaded is requested again, in milliseconds, and number of such requests. */
const RETRY_MS = 5_000;
const RETRIES = 2;

interface Props {
  imageId: number;
  alt?: string;
  /** Width to request of the server, in pixels. */
  width?: number;
}

/** Thumbnail of an image, loaded when it is about to scroll into view. Its container sets the size. */
export function Thumbnail({ imageId, alt = "", width = THUMBNAIL_WIDTH }: Props) {
  const { address, isBroken, onError } = useThumbnail(imageId, width);
  if (isBroken) return <ImageOff size={28} strokeWidth={1.25} role="img" aria-label={t`The image cannot be shown`} />;
  return <img src={address} alt={alt} loading="lazy" decoding="async" draggable={false} onError={onError} />;
}

/** Returns the thumbnail's address on the server; if that fails or the server is away, its address in this browser. */
function useThumbnail(imageId: number, width: number) {
  const [isLocal, setLocal] = useState(() => getReach() === "away");
  const [found, setFound] = useState<string | null | undefined>();
  const retries = useRef(0);
  useEffect(() => {
    if (!isLocal) return;
    let isGone = false;
    void localThumbnail(imageId).then((address) => isGone || setFound(address ?? null));
    return () => {
      isGone = true;
    };
  }, [imageId, isLocal]);
  const isBroken = isLocal && found === null;
  useEffect(() => {
    if (!isBroken) return;
    const load = () => {
      setLocal(false);
      setFound(undefined);
    };
    const handleRetry = () => {
      retries.current += 1;
      load();
    };
    // The server can be reached: only this response may have been lost.
    const retry = retries.current < RETRIES && getReach() === "reachable" && setTimeout(handleRetry, RETRY_MS);
    const stop = onReturn(load);
    return () => {
      stop();
      if (retry) clearTimeout(retry);
    };
  }, [isBroken]);
  const onError = () => (isLocal ? setFound(null) : setLocal(true));
  const remote = width === THUMBNAIL_WIDTH ? serverThumbnail(imageId) : scaledAddress(imageId, width);
  return { address: isLocal ? (found ?? undefined) : remote, isBroken, onError };
}
