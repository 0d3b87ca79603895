import { ImageOff } from "lucide-react";
import { useState } from "react";
import { getImage } from "../../shared/api/image";
import { THUMBNAIL_WIDTH } from "../../shared/constants";
import { url } from "../io/http/request";

/** Thumbnail of an image, loaded when it is about to scroll into view. Its container sets the size. */
export function Thumbnail({ imageId, alt = "" }: { imageId: number; alt?: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <ImageOff size={28} strokeWidth={1.25} role="img" aria-label="The image cannot be shown" />;
  return (
    <img
      src={url(getImage, { params: { id: imageId }, query: { width: THUMBNAIL_WIDTH, thumbnail: true } })}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(true)}
    />
  );
}
