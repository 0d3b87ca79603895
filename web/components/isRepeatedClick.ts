import type { MouseEvent } from "react";

/**
 * Returns true for the second click of a double click, and for further ones. A button should ignore them if its first
 * click brings up something else with the same button in the same place: browsers count clicks by place and time.
 */
export const isRepeatedClick = ({ detail }: MouseEvent): boolean => detail > 1;
