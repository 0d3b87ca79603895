import { randomUUID } from "node:crypto";
import type { AnnotatorDocument } from "../../../../web/annotator/document/document";
import type { TestUser } from "../../../support/server";
import { Line, OnlineAnnotator } from "./onlineAnnotator";

/** A tab or a script that changes an image at random. */
export interface RandomActor {
  /** Does something, and resolves with its name. */
  act(): Promise<string>;
}

/** A user's tab, which opens images, and does at random what users do. */
export class RandomTab implements RandomActor {
  annotator!: OnlineAnnotator;
  private readonly line: Line;
  private readonly others: RandomTab[] = [];

  constructor(
    private readonly user: TestUser,
    private readonly imageId: number,
    private readonly random: () => number,
    private readonly journal: string = randomUUID(),
  ) {
    this.line = new Line(random);
  }

  /** Makes each of the tabs hear of what the others store. */
  static connect(tabs: readonly RandomTab[]): void {
    for (const tab of tabs) tab.others.push(...tabs.filter((other) => other !== tab));
  }

  async open(): Promise<void> {
    const { user, imageId, journal, line } = this;
    const onStored = () => {
      for (const other of this.others) void other.hear();
    };
    this.annotator = await OnlineAnnotator.open({ user, imageId, journal, line, onStored });
  }

  /** Makes the line good. */
  calm(): void {
    this.line.isBad = false;
    this.annotator.wake();
  }

  /** Receives the news, sooner or later, that another tab has changed the image. */
  async hear(): Promise<void> {
    await this.line.delay();
    this.annotator.updates.catchUp();
  }

  async act(): Promise<string> {
    const { test } = this.annotator;
    const { editor } = test;
    const { random } = this;
    const some = test.annotations.filter(() => random() < 0.4).map(({ uuid }) => uuid);
    const select = (most: number) => editor.selecting.select(some.slice(0, most));
    const commands: Record<string, () => unknown> = {
      category: () => {
        select(6);
        test.press(String(1 + Math.floor(random() * 3)));
      },
      delete: () => {
        select(2);
        test.press("delete");
      },
      merge: () => {
        select(2);
        test.press("m");
      },
      attribute: () => {
        select(6);
        test.press(random() < 0.5 ? "g" : "y");
      },
      undo: () => test.press("control", "z"),
      "undo twice": () => test.press("control", "z").press("control", "z"),
      redo: () => test.press("control", "shift", "z"),
      nudge: () => {
        select(3);
        test.press("alt", "arrowdown");
      },
      keypoint: () => this.changeKeypoint(),
      done: () => test.press("shift", "d"),
      draw: () => {
        const [x, y] = [random() * 500, random() * 300];
        test.choose("BBox").drag([x, y], [x + 20 + random() * 80, y + 20 + random() * 80]);
        test.choose("Select");
      },
      rename: () => some[0] && editor.commands.rename(some[0], `name ${Math.floor(random() * 3)}`),
      tick: () => editor.labels.toggle(this.someCategory().id),
      colour: () => {
        const { id, permissions } = this.someCategory();
        const color = random() < 0.5 ? "#aa0000" : "#00aa00";
        if (permissions.edit) editor.commands.changeCategory(id, { color });
      },
      comment: () => this.comment(),
      wake: () => this.annotator.wake(),
      reopen: async () => {
        await this.annotator.close();
        await this.open();
      },
    };
    const [name, command] = Object.entries(commands)[Math.floor(random() * Object.keys(commands).length)]!;
    await command();
    return name;
  }

  get picture(): object {
    return pictureOf(this.annotator.test.editor.document);
  }

  private someCategory() {
    const { categories } = this.annotator.test.editor.document.state;
    return categories[Math.floor(this.random() * categories.length)]!;
  }

  /** Begins a thread, or replies to one, resolves it or deletes a comment of the user. */
  private comment(): void {
    const { random, user } = this;
    const { comments, document } = this.annotator.test.editor;
    const threads = comments.threads();
    const thread = threads[Math.floor(random() * threads.length)]?.first;
    const own = [...document.state.comments.values()].find((each) => each.creator === user.username && !each.deleted);
    const kind = random();
    if (!thread || kind < 0.3) {
      comments.placeAt({ x: random() * 600, y: random() * 400 });
      comments.begin(`begun by ${user.username}`);
    } else if (kind < 0.6) comments.reply(thread.uuid, `reply of ${user.username}`);
    else if (kind < 0.8) comments.resolve(thread.uuid, !thread.resolved);
    else if (own && kind < 0.9) comments.rewrite(own.uuid, `rewritten ${random()}`);
    else if (own) comments.delete(own);
  }

  private changeKeypoint(): void {
    const { random } = this;
    const { test } = this.annotator;
    const withPoints = test.annotations.filter(({ keypoints }) => keypoints?.length);
    const annotation = withPoints[Math.floor(random() * withPoints.length)];
    const point = annotation?.keypoints?.[Math.floor(random() * annotation.keypoints.length)];
    if (!annotation || !point) return;
    test.editor.selecting.select([annotation.uuid]);
    if (random() < 0.3) test.editor.keypoints.delete(point.label);
    else test.editor.keypoints.move(point.label, { x: 50 + random() * 500, y: 50 + random() * 300 });
  }
}

/**
 * Returns what a document shows, in an order that does not depend on the way there, without the measures that only the
 * server computes, the creator, whom a page does not know of an annotation that it restored before it was opened, the
 * times of comments, and annotations that are still empty, which stay on the page.
 */
export function pictureOf({ state }: AnnotatorDocument): object {
  const { image } = state;
  const drawn = [...state.annotations.values()].filter(
    ({ rings, rle, keypoints, isbbox }) => rings?.length || rle || keypoints?.length || isbbox,
  );
  const annotations = drawn.map(({ area, bbox, creator, ...annotation }) => ({
    ...annotation,
    rings: annotation.rings ?? [],
    keypoints: annotation.keypoints?.length ? annotation.keypoints : null,
  }));
  return {
    image: { stage: image.stage, done: image.done, labels: image.labels.toSorted(), metadata: image.metadata },
    categories: state.categories.toSorted((a, b) => a.id - b.id).map(({ permissions, ...category }) => category),
    comments: [...state.comments.values()]
      .filter(({ deleted }) => !deleted)
      .map(({ uuid, text, thread, resolved, creator, annotation }) => ({
        ...{ uuid, text, thread, resolved, creator, annotation },
      }))
      .toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    annotations: Object.fromEntries(
      annotations.map((annotation): [string, object] => [annotation.uuid, annotation]).toSorted(),
    ),
  };
}
