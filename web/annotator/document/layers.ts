import { createStore } from "zustand/vanilla";
import { colorOfName } from "../../../shared/color/palettes";
import { shadeOf } from "../../../shared/color/shade";
import type { Annotation } from "../../../shared/entities/annotation";
import { ringsBounds } from "../../../shared/geometry/polygons";
import { recall, remember } from "../../io/storage/localStore";
import { colorOfValue } from "../colors/attributeColors";
import { attributeOf, type ColorBy, definedAttributes, isColorBy } from "../colors/colorBy";
import { Shades } from "../colors/shades";
import type { AnnotatorDocument } from "./document";
import { numbersOf } from "./subjects/numbers";

const COLOR_BY_KEY = "annotator/colorBy";

const OTHERS_KEY = "annotator/otherCategories";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

export interface LayersState {
  /** Ids of categories whose annotations are shown. */
  shown: ReadonlySet<number>;
  /** Uuids of annotations that the user has hidden one by one. */
  hidden: ReadonlySet<string>;
  /** Ids of categories whose annotations the tree lists. */
  expanded: ReadonlySet<number>;
  /**
   * True if the user has expanded the list of keypoints of the selected annotation in the tree, false if collapsed;
   * null if neither: the list is then shown if the annotation has keypoints, or while keypoints are being placed.
   */
  keypoints: boolean | null;
  /** True while keypoints are being placed. */
  isPlacing: boolean;
  /** Remembered in this browser. */
  colorBy: ColorBy;
  /** True if the tree lists categories without annotations even if there are many. Remembered in this browser. */
  listsOthers: boolean;
}

/** Visibility of categories and annotations, their state in the tree, and the resulting colours. */
export class Layers {
  readonly store = createStore<LayersState>(() => ({
    shown: new Set(),
    hidden: new Set(),
    expanded: new Set(),
    keypoints: null,
    isPlacing: false,
    colorBy: recall(COLOR_BY_KEY, isColorBy) ?? "category",
    listsOthers: recall(OTHERS_KEY, isFlag) ?? false,
  }));

  /**
   * Ids of categories that the user has hidden. New annotations of other users in these categories stay hidden, too.
   */
  private readonly hiddenByUser = new Set<number>();

  private readonly shades: Shades;

  constructor(private readonly document: AnnotatorDocument) {
    this.shades = new Shades(document.state.image);
    this.showAll();
    document.listen(({ origin, annotations }) => origin === "remote" && this.showUsedCategories(annotations));
  }

  get state(): LayersState {
    return this.store.getState();
  }

  /** Shows the categories that have annotations, as when the image was opened. */
  showAll(): void {
    const used = [...this.document.state.annotations.values()].map((annotation) => annotation.category_id);
    this.hiddenByUser.clear();
    this.store.setState({ shown: new Set(used), hidden: new Set() });
  }

  hideAll(): void {
    for (const { id } of this.document.state.categories) this.hiddenByUser.add(id);
    this.store.setState({ shown: new Set(), expanded: new Set() });
  }

  /** Shows categories that get their first annotation from another user: until then they are not in `shown`. */
  private showUsedCategories(uuids: ReadonlySet<string>): void {
    const categories = new Set([...uuids].map((uuid) => this.document.annotation(uuid)?.category_id));
    for (const id of categories)
      if (id !== undefined && !this.state.shown.has(id) && !this.hiddenByUser.has(id)) this.showCategory(id);
  }

  isVisible(annotation: Annotation): boolean {
    return this.state.shown.has(annotation.category_id) && !this.state.hidden.has(annotation.uuid);
  }

  /** Sets the meaning of the shapes' colours. */
  setColorBy(colorBy: ColorBy): void {
    this.store.setState({ colorBy });
    remember(COLOR_BY_KEY, colorBy);
  }

  /**
   * Returns the colour of an annotation's shape: a shade of its category's colour, the annotation's own colour, or that
   * of its author or of the value of an attribute, as the user has chosen.
   */
  colorOf(annotation: Annotation): string {
    const { colorBy } = this.state;
    if (colorBy === "annotation") return annotation.color;
    if (colorBy === "author") return colorOfName(annotation.creator ?? "");
    const { uuid, category_id, attributes, color } = annotation;
    const category = this.document.category(category_id);
    const attribute = attributeOf(colorBy);
    if (attribute !== null) {
      const definition = category?.attributes?.find(({ name }) => name === attribute);
      return colorOfValue(Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined, definition);
    }
    if (!category) return color;
    return shadeOf(
      category.color,
      this.shades.of(uuid, category_id, () => areaOf(annotation)),
    );
  }

  /** Returns the names of the attributes whose values can give shapes their colours. */
  attributes(): string[] {
    return definedAttributes(this.document.state.categories);
  }

  /** Returns the number of an annotation; null if it is not in the document. */
  numberOf(uuid: string): number | null {
    return numbersOf(this.document.state).get(uuid) ?? null;
  }

  /** Shows or hides a category. Hiding also collapses it. */
  toggleCategory(id: number): void {
    const show = !this.state.shown.has(id);
    if (show) this.hiddenByUser.delete(id);
    else this.hiddenByUser.add(id);
    this.store.setState({ shown: toggled(this.state.shown, id, show) });
    if (!show) this.expand(id, false);
  }

  toggleAnnotation(uuid: string): void {
    this.store.setState({ hidden: toggled(this.state.hidden, uuid, !this.state.hidden.has(uuid)) });
  }

  /** Hides annotations, or shows them again. */
  setHidden(uuids: readonly string[], isHidden: boolean): void {
    if (uuids.every((uuid) => this.state.hidden.has(uuid) === isHidden)) return;
    const hidden = new Set(this.state.hidden);
    for (const uuid of uuids) {
      if (isHidden) hidden.add(uuid);
      else hidden.delete(uuid);
    }
    this.store.setState({ hidden });
  }

  /** Makes annotations visible, with their categories. */
  showAnnotations(annotations: readonly { uuid: string; category_id: number }[]): void {
    for (const id of new Set(annotations.map(({ category_id }) => category_id))) this.showCategory(id);
    this.setHidden(
      annotations.map(({ uuid }) => uuid),
      false,
    );
  }

  showCategory(id: number): void {
    if (!this.state.shown.has(id)) this.store.setState({ shown: toggled(this.state.shown, id, true) });
  }

  /** Makes an annotation visible, for example after it was selected or drawn. */
  reveal(annotation: { uuid: string; category_id: number }): void {
    this.showCategory(annotation.category_id);
    if (this.state.hidden.has(annotation.uuid))
      this.store.setState({ hidden: toggled(this.state.hidden, annotation.uuid, false) });
  }

  listOthers(listsOthers: boolean): void {
    this.store.setState({ listsOthers });
    remember(OTHERS_KEY, listsOthers);
  }

  listKeypoints(keypoints: boolean): void {
    if (this.state.keypoints !== keypoints) this.store.setState({ keypoints });
  }

  setPlacing(isPlacing: boolean): void {
    if (this.state.isPlacing !== isPlacing) this.store.setState({ isPlacing });
  }

  /** Expands or collapses a category. Expanding also shows it. */
  expand(id: number, open: boolean): void {
    if (open) this.showCategory(id);
    if (this.state.expanded.has(id) !== open) this.store.setState({ expanded: toggled(this.state.expanded, id, open) });
  }
}

function toggled<T>(set: ReadonlySet<T>, item: T, present: boolean): ReadonlySet<T> {
  const next = new Set(set);
  if (present) next.add(item);
  else next.delete(item);
  return next;
}

const areaOf = ({ rings, bbox }: Annotation) => (rings && rings.length > 0 ? ringsBounds(rings) : bbox);
