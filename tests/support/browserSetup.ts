import { openRunFolder } from "./runFolder";

/** Prepares a run of the browser tests. Returns a function that ends it. */
export default function setUp(): () => void {
  return openRunFolder();
}
