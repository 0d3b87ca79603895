import type { PointerInput } from "../../canvas/view/pointer";
import { StateMachine, type ToolMachine, ToolState } from "./tool";

/** Base of all tools: passes pointer events to the current state, and cancels unfinished work when the tool is left. */
export abstract class Machine implements ToolMachine {
  private readonly states: StateMachine;

  protected constructor(name: string) {
    this.states = new StateMachine(name, new Off());
  }

  get state(): string {
    return this.states.state;
  }

  become(next: ToolState): void {
    this.states.become(next);
  }

  down(input: PointerInput): boolean {
    return this.states.now.down(input);
  }

  click(input: PointerInput): void {
    this.states.now.click(input);
  }

  move(input: PointerInput): void {
    this.states.now.move(input);
  }

  up(input: PointerInput): void {
    this.states.now.up(input);
  }

  leave(): void {
    this.states.now.leave();
  }

  abort(): void {
    this.states.now.abort();
  }

  refresh(): void {
    this.states.now.refresh();
  }

  exit(): void {
    this.cancel();
    this.become(new Off());
  }

  abstract cancel(): boolean;
}

/** State of a tool that is not in use: ignores all events. */
class Off extends ToolState {
  readonly name = "off";
}
