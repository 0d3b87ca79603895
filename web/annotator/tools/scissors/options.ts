import { z } from "zod";
import { numberOption, strokeOptions } from "../common/options";

/**
 * `snap`: distance in screen pixels within which an anchor moves to a border; with 0, it stays where it was clicked.
 */
export const scissorsOptions = z.object({ snap: numberOption(0, 50, 6), ...strokeOptions });
export type ScissorsOptions = z.infer<typeof scissorsOptions>;
