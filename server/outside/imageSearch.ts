/** An image that a search has found, with what must be told with it wherever it goes. */
export interface FoundImage {
  /** The same image has the same id each time. */
  id: string;
  /** Address of its file. */
  url: string;
  /** Its origin: license, creator, title and so on; every value is text. */
  origin: Record<string, string>;
}

/** A page of what was found. */
export interface FoundPage {
  images: FoundImage[];
  isLast: boolean;
}

/** A provider of images by keyword. Providers other than Openverse's API are another function of this type. */
export interface ImageSearch {
  /** For people, e.g. "api.openverse.org". */
  name: string;
  /**
   * The pages for a keyword, counted from 1. Throws OutsideError with a sentence for people, after having waited and
   * tried again where the provider asks for that; `tell` gets a line about it.
   */
  search(
    keyword: string,
    page: number,
    options: { signal: AbortSignal; tell: (line: string) => void },
  ): Promise<FoundPage>;
}
