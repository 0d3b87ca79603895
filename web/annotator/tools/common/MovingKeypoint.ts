import type { PointerInput } from "../../canvas/view/pointer";
import type { Point } from "../../canvas/view/view";
import type { KeypointPorts, PlacedKeypoint } from "./keypointPorts";
import { ToolState } from "./tool";

/** A press that moves less than this is a click, not a drag. In screen pixels. */
const CLICK_PX = 4;

export interface KeypointHolder {
  readonly keypoints: KeypointPorts;
  onImage(point: Point): Point;
  /** Updates highlight, cursor and note for the pointer's position. */
  look(input: PointerInput): void;
  idle(): void;
}

/** State while a keypoint is pressed: a drag moves it, a click selects it. */
export class MovingKeypoint extends ToolState {
  readonly name = "moving keypoint";
  private isDragged = false;

  constructor(
    private readonly tool: KeypointHolder,
    private readonly spot: PlacedKeypoint,
    private readonly from: PointerInput,
  ) {
    super();
  }

  override move(input: PointerInput): void {
    const { from } = this;
    this.isDragged ||= Math.hypot(input.screen.x - from.screen.x, input.screen.y - from.screen.y) >= CLICK_PX;
    if (this.isDragged) this.tool.keypoints.preview({ ...this.spot, ...this.placeFor(input) });
  }

  override up(input: PointerInput): void {
    const { tool, spot, isDragged, from } = this;
    tool.idle();
    if (isDragged) tool.keypoints.move(spot.label, this.placeFor(input));
    else if (from.clicks === 2) tool.keypoints.doubleClick(spot.label);
    else tool.keypoints.click(spot.label);
    tool.look(input);
  }

  override abort(): void {
    this.tool.idle();
  }

  override exit(): void {
    this.tool.keypoints.preview(null);
  }

  /**
   * Returns the keypoint's position for a pointer position. Keeps the offset from the press, so that a press beside the
   * keypoint's centre does not move the keypoint.
   */
  private placeFor({ image }: PointerInput): Point {
    const { spot, from } = this;
    return this.tool.onImage({ x: spot.x + image.x - from.image.x, y: spot.y + image.y - from.image.y });
  }
}
