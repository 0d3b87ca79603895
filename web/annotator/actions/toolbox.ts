import { createStore } from "zustand/vanilla";
import type { Metadata } from "../../../shared/entities/scalars";
import { toolNamed, tools } from "../tools";
import type { ToolPorts } from "../tools/common/ports";
import type { ToolDefinition, ToolMachine, ToolName } from "../tools/common/tool";

export interface ToolboxState {
  tool: ToolDefinition;
  machine: ToolMachine;
  /** Options by the tool's preference key. */
  options: Readonly<Record<string, object>>;
}

/** localStorage key of the last used drawing tool. */
const REMEMBERED = "editorTool";

/** The active tool, its machine, and the options of all tools. */
export class Toolbox {
  readonly store;

  constructor(
    private readonly ports: ToolPorts,
    stored: Metadata,
    /** Stores changed options. */
    private readonly storeOptions: (preference: string, options: object) => void,
    /** Returns false if the user may only look, with the Select tool. */
    private readonly mayDraw: () => boolean = () => true,
  ) {
    this.store = createStore<ToolboxState>(() => {
      const tool = toolNamed("Select");
      return { tool, options: stored as Record<string, object>, machine: IDLE };
    });
    this.store.setState({ machine: this.start(this.tool) });
  }

  get tool(): ToolDefinition {
    return this.store.getState().tool;
  }

  get machine(): ToolMachine {
    return this.store.getState().machine;
  }

  choose(name: ToolName): void {
    const tool = toolNamed(name);
    if (tool === this.tool || (name !== "Select" && !this.mayDraw())) return;
    this.machine.exit();
    this.store.setState({ tool, machine: this.start(tool) });
    if (tool.remembered) remember(name);
  }

  /** Accepts the tool's computed result, if there is one, and discards unfinished work. */
  conclude(): void {
    this.machine.conclude?.();
    this.machine.cancel();
  }

  /** Chooses the drawing tool that was used last. */
  chooseRemembered(): void {
    this.choose(remembered() ?? "Polygon");
  }

  optionsOf(tool: ToolDefinition): object {
    return tool.parse(this.store.getState().options[tool.preference]);
  }

  change(tool: ToolDefinition, change: object): void {
    const options = tool.parse({ ...this.optionsOf(tool), ...change });
    this.store.setState({ options: { ...this.store.getState().options, [tool.preference]: options } });
    this.storeOptions(tool.preference, options);
    this.machine.refresh();
  }

  /** Resizes the active tool by `by` image pixels, if it has a size. */
  resize(by: number): void {
    const { tool } = this;
    const change = tool.resize?.(this.optionsOf(tool), by);
    if (change) this.change(tool, change);
  }

  private start(tool: ToolDefinition): ToolMachine {
    return tool.create({ ports: this.ports, options: () => this.optionsOf(tool) });
  }
}

const nothing = () => undefined;
const no = () => false;
/** Placeholder until the first tool exists. */
const IDLE: ToolMachine = {
  state: "none",
  down: no,
  click: nothing,
  move: nothing,
  up: nothing,
  leave: nothing,
  abort: nothing,
  exit: nothing,
  cancel: no,
  refresh: nothing,
};

function remember(name: ToolName): void {
  try {
    localStorage.setItem(REMEMBERED, name);
  } catch {
    // Storage may be forbidden or full: the tool is then not remembered.
  }
}

function remembered(): ToolName | null {
  try {
    const name = localStorage.getItem(REMEMBERED);
    return tools.find((tool) => tool.remembered && tool.name === name)?.name ?? null;
  } catch {
    return null;
  }
}
