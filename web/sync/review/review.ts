import { createStore } from "zustand/vanilla";
import { forgetJournal, journalsElsewhere, type Owner } from "../../io/journal/journalName";
import { Handover } from "../journal/handover";
import { Journal } from "../journal/journal";
import { oneTabAtATime } from "../journal/oneTab";
import { placeOf } from "../journal/place";
import type { Sync } from "../push/sync";
import { isSameImage, loadScene } from "./findImage";
import { changesIn, groupsOf, type ReviewGroup } from "./groups";
import { transfer } from "./transfer";

export interface ReviewState {
  /** Undefined until the journals have been read. */
  groups: readonly ReviewGroup[] | undefined;
  /** Number of annotations, images and categories that the groups change. */
  changes: number;
  /** True if a journal could not be read: the groups lack its edits. */
  isUnreadable: boolean;
}

/**
 * Outcome of applying a group. `missing` are names of categories that the dataset does not have. "no changes": all
 * changes were applied or discarded in another tab.
 */
type Applied = { kind: "applied"; missing: string[] } | { kind: "no image" } | { kind: "no changes" };

/**
 * Changes that a user made in this browser on another installation, or before journals recorded the installation. They
 * are never sent unchanged, because their ids may mean something else here. The user applies them to an image, exports
 * or discards them. The journals are not moved, since a tab that has not noticed the change may still write to them.
 */
export class Review {
  readonly state = createStore<ReviewState>(() => ({ groups: undefined, changes: 0, isUnreadable: false }));
  private readonly journals = new Map<string, { journal: Journal; stop: () => void }>();
  private closed = false;

  constructor(
    private readonly owner: Owner,
    private readonly sync: Pick<Sync, "record" | "recordSession" | "flush">,
  ) {
    void this.refresh();
  }

  /** Reads all journals again. Those that cannot be read are left out. */
  async refresh(): Promise<void> {
    const names = await journalsElsewhere(this.owner);
    if (this.closed) return;
    const journals = await Promise.allSettled(
      names.map(async (name) => groupsOf(name, await this.journalOf(name).all())),
    );
    const groups = journals.flatMap((read) => (read.status === "fulfilled" ? read.value : []));
    const isUnreadable = journals.some(({ status }) => status === "rejected");
    if (!this.closed) this.state.setState({ groups, changes: changesIn(groups), isUnreadable });
  }

  /**
   * Applies the group's changes to an image of this installation. Ignores rows made since, and rows already applied or
   * discarded in another tab.
   */
  apply(group: ReviewGroup, imageId: number): Promise<Applied> {
    return oneTabAtATime(`review ${group.journal}`, () => this.applyOnce(group, imageId));
  }

  private async applyOnce(group: ReviewGroup, imageId: number): Promise<Applied> {
    const scene = await loadScene(imageId);
    if (!scene) return { kind: "no image" };
    const journal = this.journalOf(group.journal);
    const shown = new Set(group.rows.map(({ seq }) => seq));
    const rows = (await journal.all()).filter(({ seq }) => shown.has(seq));
    if (rows.length === 0) {
      await this.refresh();
      return { kind: "no changes" };
    }
    const { changes, done, missing } = transfer(rows, group.place, scene, isSameImage(scene, group.place));
    // In this order, so that the user's version is never lost if this is interrupted.
    for (const { edit, annotations } of changes)
      await this.sync.record([edit], annotations, placeOf(scene, [edit], annotations));
    await this.moveSessions(group, imageId);
    await journal.settle(done, []);
    await this.refresh();
    await this.sync.flush();
    return { kind: "applied", missing };
  }

  async discard(groups: readonly ReviewGroup[]): Promise<void> {
    for (const { journal: name, imageId, rows } of groups) {
      const journal = this.journalOf(name);
      const sessions = await journal.sessionsOfImage(imageId);
      await journal.removeSessions(sessions.map(({ uuid }) => uuid));
      await journal.settle(
        rows.map(({ seq }) => seq),
        [],
      );
    }
    await this.refresh();
  }

  close(): void {
    this.closed = true;
    for (const { journal, stop } of this.journals.values()) {
      stop();
      journal.close();
    }
  }

  /** Deletes the user's journals of other installations from the browser. */
  async wipe(): Promise<void> {
    this.close();
    for (const name of await journalsElsewhere(this.owner)) {
      await new Journal(name).wipe();
      new Handover(name).wipe();
      forgetJournal(name);
    }
  }

  /** Moves the work sessions of the image along with its edits. */
  private async moveSessions(group: ReviewGroup, imageId: number): Promise<void> {
    const journal = this.journalOf(group.journal);
    const sessions = await journal.sessionsOfImage(group.imageId);
    for (const { client: _, ...session } of sessions) await this.sync.recordSession({ ...session, image_id: imageId });
    await journal.removeSessions(sessions.map(({ uuid }) => uuid));
  }

  private journalOf(name: string): Journal {
    const known = this.journals.get(name);
    if (known) return known.journal;
    const journal = new Journal(name);
    const stop = journal.onChange(() => void this.refresh());
    this.journals.set(name, { journal, stop });
    return journal;
  }
}
