import { startDextr } from "../../../web/io/dextr/startDextr";
import { walk } from "./walk";

/** Functions that tests and measurements call through `window`: DEXTR as in the annotator, without the annotator. */
const dextrPage = { startDextr, walk };

declare global {
  interface Window {
    dextrPage: typeof dextrPage;
  }
}

window.dextrPage = dextrPage;
