import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Scene } from "./drawnScenes";
import { TestClient } from "./testClient";

/** The owner's name, and a reviewer's and an annotator's. */
interface Team {
  owner: string;
  reviewer: string;
  annotator: string;
}

interface Listed {
  id: number;
  file_name: string;
}

const PASSWORD = "correct horse";
/** Longer than a check with DEXTR or a comparison of copies takes on a busy machine, in milliseconds. */
const PATIENT = { timeout: 300_000 };

/** Fills what the pages of a team show: findings, stages with comments, and copies for a consensus. */
export class TeamData {
  private constructor(
    private readonly team: Team,
    private readonly datasetId: number,
    private readonly scenes: readonly Scene[],
    private readonly clients: Record<keyof Team, TestClient>,
    private readonly images: ReadonlyMap<string, number>,
    private readonly categories: ReadonlyMap<string, number>,
  ) {}

  /** `scenes`: those that a dataset's images show. The members of the team must have accounts. */
  static async open(url: string, team: Team, datasetId: number, scenes: readonly Scene[]): Promise<TeamData> {
    const signIn = async (username: string) => {
      const client = new TestClient(url);
      await send(client, "POST", "user/login", { username, password: PASSWORD });
      return client;
    };
    const [owner, reviewer, annotator] = await Promise.all(
      [team.owner, team.reviewer, team.annotator].map((name) => signIn(name)),
    );
    const clients = { owner: owner!, reviewer: reviewer!, annotator: annotator! };
    const { images } = await send<{ images: Listed[] }>(owner!, "GET", `dataset/${datasetId}/data?limit=50`);
    const categories = await send<{ id: number; name: string }[]>(owner!, "GET", "category/");
    return new TeamData(
      team,
      datasetId,
      scenes,
      clients,
      new Map(images.map(({ id, file_name }) => [file_name, id])),
      new Map(categories.map(({ id, name }) => [name, id])),
    );
  }

  /** Shares the dataset with the team, and keeps a version of it. */
  async share(): Promise<void> {
    const { reviewer, annotator } = this.team;
    await this.own("POST", "share", { add: [reviewer, annotator], roles: { [reviewer]: "reviewer" } });
    await this.own("POST", "versions", { name: "v1.0 for training", note: "Before the second round" });
    await this.tasksEnd();
  }

  /** Adds faults to the scenes of these numbers, because scenes have none, and checks the dataset. */
  async findFaults(twice: readonly number[], contradicting: readonly number[]): Promise<void> {
    for (const n of twice) await this.draw(n, "house", "house");
    for (const n of contradicting) await this.draw(n, "tree", "house");
    await this.own("POST", "quality/check");
    await this.tasksEnd();
  }

  /**
   * Asks for review of an image with a comment, of one that is returned with a comment, and of one that is accepted.
   * All are assigned to the owner, and `open` too.
   */
  async review(commented: number, returned: number, accepted: number, open: readonly number[]): Promise<void> {
    const stage = (client: TestClient, scenes: readonly number[], name: string) =>
      send(client, "POST", `dataset/${this.datasetId}/images/mark`, { ids: this.idsOf(scenes), stage: name });
    const { owner, reviewer } = this.clients;
    const submitted = [commented, returned, accepted];
    await this.own("POST", "", { review: true });
    await this.own("POST", "images/assign", { ids: this.idsOf([...submitted, ...open]), users: [this.team.owner] });
    await stage(owner, submitted, "to_review");
    await this.comment(
      commented,
      `The outline of this tree misses its trunk. @${this.team.owner}, look at the others, too?`,
    );
    await this.comment(returned, "Two houses have one outline.");
    await stage(reviewer, [returned], "returned");
    await stage(reviewer, [accepted], "accepted");
  }

  /** Gives images to the reviewer and the annotator, who draw what the scenes show, the second less exactly. */
  async annotateCopies(scenes: readonly number[]): Promise<void> {
    const { reviewer, annotator } = this.team;
    await this.own("POST", "consensus/give", { ids: this.idsOf(scenes), users: [reviewer, annotator] });
    await this.tasksEnd();
    await this.drawOnCopies(this.clients.reviewer, 3);
    await this.drawOnCopies(this.clients.annotator, 9);
    const isCompared = async () => {
      const { pending, agreement } = await this.own<{ pending: number; agreement: { f1: number | null } }>(
        "GET",
        "consensus",
      );
      return pending === 0 && agreement.f1 !== null;
    };
    await expect.poll(isCompared, PATIENT).toBe(true);
  }

  imageOf(scene: number): number {
    const id = this.images.get(this.scenes[scene]?.fileName ?? "");
    if (id === undefined) throw new Error(`scene ${scene} has no image`);
    return id;
  }

  private readonly idsOf = (scenes: readonly number[]): number[] => scenes.map((n) => this.imageOf(n));

  /** Makes a call about the dataset as its owner. */
  private own<T = unknown>(method: string, path: string, data?: object): Promise<T> {
    const end = path ? `/${path}` : "";
    return send<T>(this.clients.owner, method, `dataset/${this.datasetId}${end}`, data);
  }

  private async tasksEnd(): Promise<void> {
    const isDone = async () =>
      (await send<{ completed: boolean }[]>(this.clients.owner, "GET", "tasks/")).every(({ completed }) => completed);
    await expect.poll(isDone, PATIENT).toBe(true);
  }

  /** Draws the first object of its kind of a scene, as an annotation of a category. */
  private async draw(scene: number, object: string, category: string): Promise<void> {
    const found = this.scenes[scene]?.objects.find((each) => each.category === object);
    await send(this.clients.owner, "POST", "annotation/", {
      image_id: this.imageOf(scene),
      category_id: this.categories.get(category),
      segmentation: found?.polygons,
    });
  }

  /** Writes a comment of the reviewer on a tree. */
  private async comment(scene: number, text: string): Promise<void> {
    const tree = this.scenes[scene]?.objects.find(({ category }) => category === "tree");
    const [x = 0, y = 0] = tree?.polygons[0] ?? [];
    const edit = { uuid: randomUUID(), image_id: this.imageOf(scene), base: 0, subject: "comment" };
    const created = { ...edit, target: randomUUID(), action: "create", before: {}, after: { x, y, text } };
    await send(this.clients.reviewer, "POST", "annotator/edits", { client: randomUUID(), edits: [created] });
  }

  /** Draws on a user's copies what the scenes show, moved by some pixels, and marks them as done. */
  private async drawOnCopies(client: TestClient, shift: number): Promise<void> {
    const datasets = await send<{ id: number; name: string }[]>(client, "GET", "dataset/");
    const copies = datasets.find(({ name }) => name.includes("copies"));
    if (!copies) throw new Error("no copies");
    const { images } = await send<{ images: Listed[] }>(client, "GET", `dataset/${copies.id}/data?limit=50`);
    for (const { id, file_name } of images) {
      const scene = this.scenes.find(({ fileName }) => fileName === file_name);
      for (const { category, polygons } of scene?.objects ?? [])
        await send(client, "POST", "annotation/", {
          image_id: id,
          category_id: this.categories.get(category),
          segmentation: polygons.map((ring) => ring.map((value) => value + shift)),
        });
    }
    const ids = images.map(({ id }) => id);
    await send(client, "POST", `dataset/${copies.id}/images/mark`, { ids, done: true });
  }
}

async function send<T>(client: TestClient, method: string, path: string, json?: object): Promise<T> {
  const { status, body, text } = await client.request(method, path, { json });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return body as T;
}
