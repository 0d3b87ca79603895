import paper from "paper/dist/paper-core";
import connect, { type Socket } from "socket.io-client-2";
import { expect } from "vitest";
import type { TestServer, TestUser } from "./server";
import type { TestResponse } from "./testClient";

/**
 * The annotator of the original Vue client (jsbroks/coco-annotator, client/src), limited to how it reads, writes and
 * deletes: rewritten from its behaviour, with the same paper.js. It builds each shape once from `paper_object`,
 * otherwise from `segmentation`; it simplifies all of them with every save, and deletes those that it finds empty.
 */

export interface OriginalAnnotation {
  id: number;
  image_id: number;
  category_id: number;
  width: number;
  height: number;
  isbbox: boolean;
  color: string;
  metadata: { [key: string]: unknown };
  keypoints: number[];
  segmentation: number[][];
  paper_object?: unknown[];
}

interface Category {
  id: number;
  name: string;
  show: boolean;
  color: string;
  keypoint_labels: string[];
  keypoint_edges: [number, number][];
  keypoint_colors: string[];
  annotations: OriginalAnnotation[];
}

interface Point {
  x: number;
  y: number;
}

/** A shape on the client's canvas. Keypoints are [x, y, visibility, label], with labels counted from 1. */
class DrawnShape {
  path: paper.CompoundPath;
  readonly keypoints: [number, number, number, number][] = [];
  sessions: object[] = [];
  uuid = "";

  constructor(
    readonly annotation: OriginalAnnotation,
    private readonly labels: string[],
  ) {
    this.path = new paper.CompoundPath({ insert: false });
    this.build(annotation.paper_object, annotation.segmentation);
  }

  build(json: unknown[] | undefined, segmentation: number[][] | undefined): void {
    const { width, height, keypoints } = this.annotation;
    this.path = new paper.CompoundPath({ insert: false });
    this.keypoints.length = 0;
    for (let i = 0; i < keypoints.length; i += 3) {
      const [x = 0, y = 0, v = 0] = keypoints.slice(i, i + 3);
      if (x !== 0 || y !== 0 || v !== 0) this.keypoints.push([x, y, v || 2, i / 3 + 1]);
    }
    if (json?.length === 2) this.path.importJSON(JSON.stringify(json));
    else
      for (const ring of segmentation ?? []) {
        const child = new paper.Path({ insert: false });
        for (let i = 0; i < ring.length; i += 2) child.add([ring[i]! - width / 2, ring[i + 1]! - height / 2]);
        child.closePath();
        this.path.addChild(child);
      }
  }

  get isEmpty(): boolean {
    return this.path.isEmpty() && this.keypoints.length === 0;
  }

  /** Adds a polygon, with corners in image pixels. */
  unite(corners: [number, number][]): void {
    const { width, height } = this.annotation;
    const segments = corners.map(([x, y]) => [x - width / 2, y - height / 2]);
    const added = new paper.Path({ segments, closed: true, insert: false });
    const united = this.path.unite(added, { insert: false });
    this.path =
      united instanceof paper.CompoundPath ? united : new paper.CompoundPath({ children: [united], insert: false });
    this.annotation.isbbox = false;
  }

  move(dx: number, dy: number): void {
    this.path.translate(new paper.Point(dx, dy));
  }

  simplify(): void {
    this.path.flatten(1);
    const children = (this.path.children as paper.Path[]).map((child) => {
      const points = simplify(
        child.segments.map(({ point }) => ({ x: point.x, y: point.y })),
        1,
      );
      const path = new paper.Path({ segments: points.map(({ x, y }) => [x, y]), insert: false });
      path.closePath();
      return path;
    });
    this.path.removeChildren();
    this.path.addChildren(children);
  }

  export(): object {
    const { id, isbbox, color, metadata, width, height } = this.annotation;
    const compoundPath = this.path.exportJSON({ asString: false, precision: 1 });
    const flat: (number | undefined)[] = this.labels.flatMap(() => [0, 0, 0]);
    for (const [x, y, v, label] of this.keypoints) {
      const at = (label - 1) * 3;
      // To the centre of the image and back, as the client stores points.
      flat[at] = Math.round(x - width / 2 + width / 2);
      flat[at + 1] = Math.round(y - height / 2 + height / 2);
      flat[at + 2] = v;
    }
    const sessions = this.sessions;
    this.sessions = [];
    const keypoints = this.keypoints.length > 0 && { keypoints: Array.from(flat, (value) => value ?? null) };
    return { id, isbbox, color, metadata: asFields(metadata), ...keypoints, compoundPath, sessions };
  }
}

/** Simplifies like simplify-js with "highest quality": Douglas and Peucker, 1973, on an open line. */
function simplify(points: Point[], tolerance: number): Point[] {
  const last = points.length - 1;
  if (last < 2) return points;
  const kept = new Set([0, last]);
  const keep = (from: number, to: number) => {
    let [most, at] = [tolerance * tolerance, -1];
    for (let i = from + 1; i < to; i++) {
      const distance = squareDistance(points[i]!, points[from]!, points[to]!);
      if (distance > most) [most, at] = [distance, i];
    }
    if (at < 0) return;
    kept.add(at);
    keep(from, at);
    keep(at, to);
  };
  keep(0, last);
  return points.filter((_, i) => kept.has(i));
}

function squareDistance(p: Point, from: Point, to: Point): number {
  let { x, y } = from;
  let [dx, dy] = [to.x - x, to.y - y];
  if (dx !== 0 || dy !== 0) {
    const t = ((p.x - x) * dx + (p.y - y) * dy) / (dx * dx + dy * dy);
    if (t > 1) ({ x, y } = to);
    else if (t > 0) [x, y] = [x + dx * t, y + dy * t];
  }
  [dx, dy] = [p.x - x, p.y - y];
  return dx * dx + dy * dy;
}

/** Returns metadata as the client's text fields return it. */
function asFields(metadata: { [key: string]: unknown }): { [key: string]: unknown } {
  const entries = Object.entries(metadata).flatMap(([key, value]): [string, unknown][] => {
    if (key === "") return [];
    if (key === "name") return typeof value === "string" && value !== "" ? [[key, value]] : [];
    const text = value === null || value === undefined ? "" : String(value);
    if (!Number.isNaN(Number(text))) return [[key, Number.parseInt(text, 10)]];
    const isTruth = /^(true|false)$/i.test(text);
    return [[key, isTruth ? text.toLowerCase() === "true" : text]];
  });
  return Object.fromEntries(entries);
}

/** The page of one user, with one image open at a time. */
export class OriginalClient {
  categories: Category[] = [];
  readonly drawn = new Map<number, DrawnShape>();
  /** Statuses of the calls that deleted an annotation. */
  readonly deletions: number[] = [];
  /** The dataset as the server sent it, which is returned with each save. */
  dataset: { [key: string]: unknown } = {};
  /** Headers that a browser adds to each change. */
  private readonly headers: Record<string, string>;
  private image = { id: 0, metadata: {} as { [key: string]: unknown }, category_ids: [] as number[] };
  private socket: Socket | undefined;

  constructor(
    private readonly server: TestServer,
    readonly user: TestUser,
    /** False for pages that send no more of the dataset than older versions did. */
    private readonly returnsDataset = true,
  ) {
    paper.setup(new paper.Size(1, 1));
    this.headers = { Origin: new URL(server.url).origin };
  }

  async connect(): Promise<void> {
    const { origin, pathname } = new URL(this.server.url);
    const Cookie = [...this.user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const socket = connect(origin, {
      path: `${pathname}socket.io`,
      transports: ["websocket"],
      extraHeaders: { Cookie },
      forceNew: true,
      reconnection: false,
    });
    socket.on("annotation", (event) => this.handleEvent(event as Parameters<OriginalClient["handleEvent"]>[0]));
    this.socket = socket;
    await new Promise<void>((done) => socket.once("connect", () => done()));
  }

  async open(imageId: number): Promise<this> {
    this.socket?.emit("annotating", { image_id: imageId, active: true });
    const { body } = await this.user.get(`annotator/data/${imageId}`);
    this.image = { id: imageId, metadata: body.image.metadata, category_ids: body.image.category_ids };
    this.dataset = body.dataset;
    this.categories = body.categories;
    this.drawn.clear();
    for (const category of this.categories) for (const each of category.annotations) this.show(category, each);
    return this;
  }

  /** Adds a new annotation with a polygon, like the tools do. */
  async draw(categoryId: number, ...polygons: [number, number][][]): Promise<number> {
    const { body } = await this.user.post("annotation/", { image_id: this.image.id, category_id: categoryId });
    expect(body.paper_object.length).toBe(0);
    const category = this.category(categoryId);
    category.annotations.push(body);
    const drawn = this.show(category, body);
    for (const polygon of polygons) drawn.unite(polygon);
    return body.id;
  }

  get(id: number): DrawnShape {
    const drawn = this.drawn.get(id);
    if (!drawn) throw new Error(`annotation ${id} is not on this page`);
    return drawn;
  }

  async delete(id: number): Promise<number> {
    const { status } = await this.user.delete(`annotation/${id}`, { headers: this.headers });
    this.deletions.push(status);
    if (status === 200) this.remove(id);
    return status;
  }

  async save(): Promise<void> {
    const answer = await this.trySave();
    expect(answer.status, answer.text).toBe(200);
  }

  /** Sends the whole state. Empty annotations are deleted first, and sent nevertheless. */
  async trySave(): Promise<TestResponse> {
    const deleted: Promise<unknown>[] = [];
    const categories = this.categories.map(({ annotations, ...category }) => ({
      ...category,
      visualize: true,
      metadata: [],
      annotations: annotations.map(({ id }) => {
        const drawn = this.get(id);
        if (drawn.isEmpty) deleted.push(this.delete(id));
        else drawn.simplify();
        return drawn.export();
      }),
    }));
    const category_ids = categories.filter(({ annotations }) => annotations.length > 0).map(({ id }) => id);
    const state = {
      mode: "segment",
      user: {},
      dataset: this.returnsDataset ? this.dataset : {},
      image: { id: this.image.id, metadata: asFields(this.image.metadata), settings: {}, category_ids },
      settings: { activeTool: "Select", zoom: 0.2, tools: {} },
      categories,
    };
    const headers = { ...this.headers, "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await this.user.request("POST", "annotator/data", { body: JSON.stringify(state), headers });
    await Promise.all(deleted);
    return answer;
  }

  async leave(): Promise<void> {
    this.socket?.emit("annotating", { image_id: this.image.id, active: false });
    await this.save();
  }

  close(): void {
    this.socket?.close();
  }

  /** Handles an event about annotations like the page does. */
  handleEvent({
    action,
    annotation,
    uuid,
  }: {
    action: string;
    annotation: OriginalAnnotation;
    uuid?: string | null;
  }): void {
    const category = this.categories.find(({ id }) => id === annotation.category_id);
    if (annotation.image_id !== this.image.id) return;
    const known = this.drawn.get(annotation.id);
    if (!known && action === "create" && category) {
      category.annotations.push({ ...annotation, keypoints: annotation.keypoints ?? [], metadata: {} });
      this.show(category, category.annotations.at(-1)!);
    }
    if (!known || known.uuid === uuid) return;
    if (action === "modify") known.build(annotation.paper_object, annotation.segmentation);
    if (action === "delete") this.remove(annotation.id);
  }

  private show(category: Category, annotation: OriginalAnnotation): DrawnShape {
    const drawn = new DrawnShape(annotation, category.keypoint_labels);
    this.drawn.set(annotation.id, drawn);
    return drawn;
  }

  private remove(id: number): void {
    this.drawn.delete(id);
    for (const category of this.categories)
      category.annotations = category.annotations.filter((annotation) => annotation.id !== id);
  }

  private category(id: number): Category {
    const found = this.categories.find((category) => category.id === id);
    if (!found) throw new Error(`no category ${id}`);
    return found;
  }
}
