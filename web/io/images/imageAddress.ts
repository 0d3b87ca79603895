import { getImage } from "../../../shared/api/image";
import { THUMBNAIL_WIDTH } from "../../../shared/constants";
import { getReach } from "../http/reachability";
import { url } from "../http/url";

/**
 * Image files in this browser, as `blob:` addresses, which stay valid while the image is shown. An address ends in
 * `#<width>x<height>`, the size of the upright image in pixels, if the file here is smaller. The methods resolve with
 * undefined if the image is not in this browser.
 */
export interface LocalImages {
  fileOf(imageId: number): Promise<string | undefined>;
  thumbnailOf(imageId: number): Promise<string | undefined>;
}

/** Loads the source. Called when the source is first needed. */
type Load = () => Promise<LocalImages>;

let load: Load | undefined;

/** Sets the source of local image files; undefined while no user is logged in. */
export function setLocalImages(source: Load | undefined): void {
  load = source;
}

const images = async (): Promise<LocalImages | undefined> => load?.().catch(() => undefined);

/** Returns the server's address of an image. */
export const serverImage = (id: number): string => url(getImage, { params: { id } });

/** Returns the server's address of a thumbnail. */
export const serverThumbnail = (id: number): string =>
  url(getImage, { params: { id }, query: { width: THUMBNAIL_WIDTH, thumbnail: true } });

/** Returns the server's address of an image that is scaled down to a width in pixels. */
export const scaledAddress = (id: number, width: number): string => url(getImage, { params: { id }, query: { width } });

/** Returns the address of an image in this browser. Never rejects. */
export const localImage = async (id: number): Promise<string | undefined> =>
  (await images())?.fileOf(id).catch(() => undefined);

/** Returns the address of a thumbnail in this browser. Never rejects. */
export const localThumbnail = async (id: number): Promise<string | undefined> =>
  (await images())?.thumbnailOf(id).catch(() => undefined);

/** Returns an image's address on the server; while the server is away, in this browser if the image is here. */
export const imageAddress = async (id: number): Promise<string> =>
  (getReach() === "away" && (await localImage(id))) || serverImage(id);
