/** An image found by a search, with the credits that must accompany it. */
export interface FoundImage {
  /** Id of the image, the same in every search. */
  id: string;
  /** Address of its file. */
  url: string;
  /** License, creator, title and so on, as text. */
  origin: Record<string, string>;
}

/** A page of search results. */
export interface FoundPage {
  images: FoundImage[];
  isLast: boolean;
}

/** A provider of images by keyword. A provider other than Openverse implements this interface. */
export interface ImageSearch {
  /** Name shown to the user, e.g. "api.openverse.org". */
  name: string;
  /**
   * Returns a page of results for a keyword, counted from 1. Waits and retries if the provider asks for it, and reports
   * that to `log`. Throws OutsideError with a message for the user.
   */
  search(
    keyword: string,
    page: number,
    options: { signal: AbortSignal; log: (line: string) => void },
  ): Promise<FoundPage>;
}
