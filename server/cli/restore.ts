import { restore } from "../db/restore";
import { readEnv } from "../env";
import { ConfigurationError } from "../errors";
import { runCommand } from "./runCommand";

/** `npm run restore -- FILE [--force]`: puts a backup into an empty database. */
await runCommand(async () => {
  const env = readEnv(process.env);
  const words = process.argv.slice(2);
  const files = words.filter((word) => word !== "--force");
  const [file] = files;
  if (!file || files.length > 1) throw new ConfigurationError("Which backup? npm run restore -- FILE [--force]");
  const { rows, moment, kept } = await restore(env, file, words.includes("--force"));
  console.log(`Restored ${rows} rows: the database as it was at ${moment}.`);
  if (kept) console.log(`What was there before lies in ${kept}.`);
  console.log("Pictures are not part of a backup. npm run doctor tells which are missing.");
});
