import type { ToolName } from "./common/tool";

/** The tool that the user takes along from one image to the next. One for each visit of the annotator. */
export class CarriedTool {
  name: ToolName | null = null;
}
