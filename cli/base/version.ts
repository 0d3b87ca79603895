import { version } from "../../package.json";

/** Version of this program. */
export const VERSION: string = version;
