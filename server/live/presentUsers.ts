/** A user who has an image open. */
export interface Present {
  imageId: number;
  datasetId: number;
  username: string;
}

interface ImageUsers {
  datasetId: number;
  /** Number of times each name was added. */
  names: Map<string, number>;
}

/** The users at each image, by image and dataset. A user is present until removed as often as added. */
export class PresentUsers {
  private readonly images = new Map<number, ImageUsers>();
  private readonly datasets = new Map<number, Set<number>>();

  /** Adds a user. Returns true if the user was not at the image before. */
  add({ imageId, datasetId, username }: Present): boolean {
    const image = this.images.get(imageId) ?? this.addImage(imageId, datasetId);
    const times = image.names.get(username) ?? 0;
    image.names.set(username, times + 1);
    return times === 0;
  }

  /** Undoes one `add`. Returns true if the user is no longer at the image. */
  remove({ imageId, username }: Present): boolean {
    const image = this.images.get(imageId);
    const times = image?.names.get(username);
    if (!image || times === undefined) return false;
    if (times > 1) {
      image.names.set(username, times - 1);
      return false;
    }
    image.names.delete(username);
    if (image.names.size === 0) this.removeImage(imageId, image.datasetId);
    return true;
  }

  /** Returns each name once, in order of arrival. */
  names(imageId: number): string[] {
    return [...(this.images.get(imageId)?.names.keys() ?? [])];
  }

  /** Returns the ids of a dataset's images that are open. */
  imagesOf(datasetId: number): number[] {
    return [...(this.datasets.get(datasetId) ?? [])];
  }

  /** Returns the users of all images, each once per image. */
  all(): Present[] {
    return [...this.images].flatMap(([imageId, { datasetId, names }]) =>
      [...names.keys()].map((username) => ({ imageId, datasetId, username })),
    );
  }

  private addImage(imageId: number, datasetId: number): ImageUsers {
    const image = { datasetId, names: new Map<string, number>() };
    this.images.set(imageId, image);
    const ofDataset = this.datasets.get(datasetId);
    if (ofDataset) ofDataset.add(imageId);
    else this.datasets.set(datasetId, new Set([imageId]));
    return image;
  }

  private removeImage(imageId: number, datasetId: number): void {
    this.images.delete(imageId);
    const ofDataset = this.datasets.get(datasetId);
    ofDataset?.delete(imageId);
    if (ofDataset?.size === 0) this.datasets.delete(datasetId);
  }
}
