import type { TestUser } from "../../../support/server";
import type { RandomActor, RandomTab } from "./randomTab";

interface Listed {
  id: number;
  annotations: { id: number; keypoints: unknown }[];
}

/** A user's script, which changes an image by single calls, without a client id, while tabs have it open. */
export class RandomScript implements RandomActor {
  private readonly deleted: number[] = [];

  constructor(
    private readonly user: TestUser,
    private readonly imageId: number,
    private readonly random: () => number,
    /** The tabs that hear of each change. */
    private readonly tabs: readonly RandomTab[],
  ) {}

  async act(): Promise<string> {
    const { user, imageId, random } = this;
    const { body } = await user.get(`annotator/data/${imageId}?shape=rings`);
    // The image is in the trash for a moment only, by this script.
    const categories = body.categories as Listed[];
    const annotation = this.oneOf(categories.flatMap(({ annotations }) => annotations));
    const category = this.oneOf(categories);
    const path = `annotation/${annotation?.id ?? 0}`;
    const calls: Record<string, () => Promise<unknown>> = {
      "set colour": () => user.put(path, { color: random() < 0.5 ? "#0000aa" : "#00aa00" }),
      "set category": () => user.put(path, { category_id: category?.id }),
      "set name": () => user.put(path, { metadata: { name: `script ${Math.floor(random() * 3)}` } }),
      "set shape": () => user.put(path, { segmentation: [this.square()] }),
      add: () =>
        user.post("annotation/", { image_id: imageId, category_id: category?.id, segmentation: [this.square()] }),
      remove: async () => {
        if (annotation) this.deleted.push(annotation.id);
        await user.delete(path);
      },
      restore: () => user.post(`undo/?instance=annotation&id=${this.oneOf(this.deleted) ?? 0}`),
      "trash and restore the image": async () => {
        await user.delete(`image/${imageId}`);
        await user.post(`undo/?instance=image&id=${imageId}`);
      },
      nothing: async () => undefined,
    };
    const [name, call] = this.oneOf(Object.entries(calls))!;
    await call();
    for (const tab of this.tabs) void tab.hear();
    return name;
  }

  private oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  private square(): number[] {
    const [x, y] = [this.random() * 500, this.random() * 300];
    return [x, y, x + 60, y, x + 60, y + 60, x, y + 60];
  }
}
