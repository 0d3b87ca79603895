import type { FileState } from "../../paths/openImageFile";

/** Size and time of an object, and the tag that changes with its bytes. Times have whole seconds. */
export interface ObjectState extends FileState {
  tag: string;
}

interface Headers {
  ContentLength?: number | undefined;
  LastModified?: Date | undefined;
  ETag?: string | undefined;
}

export const stateOf = ({ ContentLength, LastModified, ETag }: Headers): ObjectState => ({
  bytes: ContentLength ?? 0,
  modifiedMs: wholeSeconds(LastModified),
  tag: ETag ?? "",
});

/** Returns milliseconds. Listings and responses round times differently. */
export const wholeSeconds = (date: Date | undefined): number => Math.floor((date?.getTime() ?? 0) / 1000) * 1000;
