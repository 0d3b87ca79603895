import { createContext } from "react";

/**
 * True while the cards are those of the previous list, and no command may act on them. A context, because only open
 * menus read it: as a property, it would render all cards again, twice for each page.
 */
export const StaleList = createContext(false);
