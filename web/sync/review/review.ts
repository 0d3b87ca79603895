import { createStore } from "zustand/vanilla";
import { forgetJournal, journalsElsewhere, type Owner } from "../../io/storage/journalName";
import { Handover } from "../journal/handover";
import { Journal } from "../journal/journal";
import { oneTabAtATime } from "../journal/oneTab";
import { placeOf } from "../journal/place";
import type { Sync } from "../push/sync";
import { isSameImage, loadScene } from "./findImage";
import { changesIn, groupsOf, type ReviewGroup } from "./groups";
import { transfer } from "./transfer";

export interface ReviewState {
  /** Undefined before the first look. */
  groups: readonly ReviewGroup[] | undefined;
  /** Annotations, images and categories that have changes in them. */
  changes: number;
}

/** Outcome of a group. */
type Applied = { kind: "applied"; missing: string[] } | { kind: "no image" };

/**
 * Changes that a user made in this browser for another installation, or before their journal told which. They are never
 * sent as they are: numbers in them may mean something else. The user applies them to an image here, exports or discards
 * them. The journals stay where they lie: a tab that has not noticed the change may still write there.
 */
export class Review {
  readonly state = createStore<ReviewState>(() => ({ groups: undefined, changes: 0 }));
  private readonly journals = new Map<string, { journal: Journal; stop: () => void }>();
  private closed = false;

  constructor(
    private readonly owner: Owner,
    private readonly sync: Pick<Sync, "record" | "recordSession" | "flush">,
  ) {
    void this.refresh();
  }

  /** Reads all journals again. One that cannot be read is left out. */
  async refresh(): Promise<void> {
    const names = await journalsElsewhere(this.owner);
    if (this.closed) return;
    const found = await Promise.all(
      names.map(async (name) =>
        groupsOf(
          name,
          await this.journalOf(name)
            .all()
            .catch(() => []),
        ),
      ),
    );
    const groups = found.flat();
    if (!this.closed) this.state.setState({ groups, changes: changesIn(groups) });
  }

  /**
   * Makes the group's changes on an image of this installation. What was made since, or is applied or discarded in another
   * tab, stays as it is.
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
    const { changes, done, missing } = transfer(rows, group.place, scene, isSameImage(scene, group.place));
    // In this order: whatever happens in between, the user's version is there.
    for (const { edit, wholes } of changes) await this.sync.record([edit], wholes, placeOf(scene, [edit], wholes));
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

  /** Removes the user's journals of other installations from the browser. */
  async wipe(): Promise<void> {
    this.close();
    for (const name of await journalsElsewhere(this.owner)) {
      await new Journal(name).wipe();
      new Handover(name).wipe();
      forgetJournal(name);
    }
  }

  /** Time at work on the image, which is no edit and goes along. */
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
