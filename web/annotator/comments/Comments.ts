import { createStore } from "zustand/vanilla";
import type { CommentChange, CommentEdit } from "../../../shared/edits/edit";
import { type Comment, type CommentFields, MAX_COMMENT } from "../../../shared/entities/comment";
import { uuid } from "../../io/uuid";
import type { Point, View } from "../canvas/view/view";
import type { AnnotatorDocument } from "../document/document";
import type { DraftStore } from "../preferences/draftStore";
import { type PlaceBox, placeOf, type Thread, threadsOf } from "./threads";

/** Place of a thread that is being begun. */
export type ThreadPlace = Pick<CommentFields, "x" | "y" | "annotation" | "box">;

export interface CommentsState {
  /** True while the next click on the image begins a thread. */
  isPlacing: boolean;
  begun: ThreadPlace | null;
  /** Uuid of the thread that is shown beside its pin. */
  open: string | null;
  showsResolved: boolean;
  /** Number of texts that were continued: a field that is shown then takes the new text. */
  continued: number;
  /** Times until which the user has read threads, by thread; null while unknown. */
  read: ReadonlyMap<string, string> | null;
}

export interface CommentsParts {
  document: AnnotatorDocument;
  view: View;
  /** Returns the uuid of the annotation at a point in image pixels. */
  at: (point: Point) => string | null;
  /** Returns the box around an annotation as it is shown; null if there is none. */
  boxOf: (annotation: string) => PlaceBox | null;
  drafts: DraftStore;
}

/** Keys of unsent texts: of a thread that is being begun, of replies by thread, and of changed comments. */
export const draftKeys = {
  begun: "begun",
  reply: (thread: string) => `reply:${thread}`,
  changed: (comment: string) => `changed:${comment}`,
};

/** Threads of comments on the open image: which one is shown, drafts, and the user's edits of them. */
export class Comments {
  readonly store = createStore<CommentsState>(() => ({
    ...{ isPlacing: false, begun: null, open: null, showsResolved: false, continued: 0, read: null },
  }));

  constructor(private readonly parts: CommentsParts) {}

  /** True if the user may write comments on this image. */
  get mayWrite(): boolean {
    return this.parts.document.state.permissions.dataset.edit;
  }

  threads(): Thread[] {
    return threadsOf(this.parts.document.state.comments);
  }

  togglePlacing(): void {
    const { isPlacing } = this.store.getState();
    if (this.mayWrite) this.store.setState({ isPlacing: !isPlacing, begun: null, open: null });
  }

  stopPlacing(): void {
    this.store.setState({ isPlacing: false });
  }

  /** Begins a thread at a point of the image, on the annotation that is there. */
  placeAt(point: Point): void {
    const { width, height } = this.parts.document.state.image;
    const x = Math.min(Math.max(point.x, 0), width);
    const y = Math.min(Math.max(point.y, 0), height);
    const annotation = this.parts.at({ x, y });
    const box = annotation ? this.parts.boxOf(annotation) : null;
    this.store.setState({
      isPlacing: false,
      open: null,
      begun: {
        ...{ x, y, annotation },
        box: box && [box.minX, box.minY, box.maxX - box.minX, box.maxY - box.minY],
      },
    });
  }

  show(thread: string): void {
    this.store.setState({ open: thread, begun: null, isPlacing: false });
  }

  /** Shows a thread that the list or the address of the page names, and moves the view if its pin is out of sight. */
  goTo(commentUuid: string): void {
    const { comments } = this.parts.document.state;
    const thread = comments.get(commentUuid)?.thread ?? commentUuid;
    const first = comments.get(thread);
    if (!first) return;
    if (first.resolved) this.store.setState({ showsResolved: true });
    this.show(thread);
    const place = this.placeOf(first);
    const { x, y } = this.parts.view.toScreen(place);
    const { width, height } = this.parts.view.canvasSize;
    // A canvas that has no size yet will show the whole image.
    const isShown = width > 1 && height > 1;
    if (isShown && (x < 0 || y < 0 || x > width || y > height)) this.parts.view.centre(place);
  }

  close(): void {
    this.store.setState({ open: null, begun: null, isPlacing: false });
  }

  toggleResolved(): void {
    this.store.setState(({ showsResolved }) => ({ showsResolved: !showsResolved }));
  }

  /** Returns where a thread or a place is now, in image pixels. */
  placeOf(place: ThreadPlace): Point {
    return placeOf(place, place.annotation ? this.parts.boxOf(place.annotation) : null);
  }

  setRead(read: ReadonlyMap<string, string>): void {
    const known = this.store.getState().read;
    const newer = [...read].filter(([thread, until]) => until > (known?.get(thread) ?? ""));
    this.store.setState({ read: new Map([...(known ?? []), ...newer]) });
  }

  draftOf(key: string): string {
    return this.parts.drafts.all().get(key)?.text ?? "";
  }

  /** Keeps an unsent text in this browser, so that neither another image nor a reload loses it. */
  keepDraft(key: string, text: string): void {
    const { begun } = this.store.getState();
    const place = key === draftKeys.begun && begun ? { place: begun } : {};
    this.parts.drafts.set(key, text === "" ? null : { text, ...place });
  }

  /** Shows the field of a new thread at a place, with an unsent text. */
  continueAt(place: ThreadPlace, text: string): void {
    this.parts.drafts.set(draftKeys.begun, { text, place });
    this.store.setState(({ continued }) => ({
      ...{ begun: place, open: null, isPlacing: false, continued: continued + 1 },
    }));
  }

  /** Shows a thread with an unsent text in its field, after the one that is there. */
  continueReply(thread: string, text: string): void {
    const key = draftKeys.reply(thread);
    this.keepDraft(key, [this.draftOf(key), text].filter(Boolean).join("\n").slice(0, MAX_COMMENT));
    this.show(thread);
    this.store.setState(({ continued }) => ({ continued: continued + 1 }));
  }

  /** Begins a thread at the chosen place, and shows it. */
  begin(text: string): void {
    const { begun } = this.store.getState();
    if (!begun) return;
    const target = uuid();
    this.apply("create", target, { ...begun, text });
    this.store.setState({ begun: null, open: target });
  }

  reply(thread: string, text: string): void {
    this.apply("create", uuid(), { thread, text });
  }

  rewrite(comment: string, text: string): void {
    this.apply("modify", comment, { text });
  }

  resolve(thread: string, resolved: boolean): void {
    this.apply("modify", thread, { resolved });
    if (resolved) this.close();
  }

  /** Deletes a comment. Returns a function that restores it. */
  delete({ uuid: target, text }: Pick<Comment, "uuid" | "text">): () => void {
    this.keepDraft(draftKeys.changed(target), "");
    this.apply("delete", target, {});
    return () => this.apply("create", target, { text });
  }

  private apply(action: CommentEdit["action"], target: string, after: CommentChange): void {
    const { document } = this.parts;
    const { image, comments } = document.state;
    const base = comments.get(target)?.revision ?? 0;
    const subject = "comment" as const;
    document.apply([{ uuid: uuid(), image_id: image.id, base, subject, target, action, before: {}, after }], "local");
  }
}
