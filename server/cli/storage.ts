import { join } from "node:path";
import { readEnv } from "../base/env";
import { ConfigurationError } from "../base/errors";
import { readMarker } from "../db/dataFolder/marker";
import { copyStorage } from "../files/copyStorage";
import { storageOf } from "../files/files";
import { makeTemporaryFiles, temporaryFolder } from "../files/paths/temporaryFiles";
import { runCommand } from "./runCommand";

const USAGE = "npm run storage -- copy s3://bucket/prefix, or npm run storage -- copy folder; each with --verify";

/**
 * `npm run storage -- copy TARGET [--verify]`: copies images, exports and uploads from the storage of the settings to a
 * bucket or, for "folder", to DATA_DIR. Servers may run. Exits with 1 if there is any problem.
 */
await runCommand(async () => {
  const words = process.argv.slice(2).filter((word) => word !== "--verify");
  const [command, target] = words;
  if (command !== "copy" || !target || words.length !== 2) throw new ConfigurationError(`Which copy? ${USAGE}`);
  const env = readEnv(process.env);
  const other = target === "folder" ? { ...env, STORAGE: undefined } : readEnv({ ...withoutFolder(), STORAGE: target });
  if (env.STORAGE === other.STORAGE) throw new ConfigurationError("The files are already there.");
  const [from, to] = [storageOf(env), storageOf(other)];
  const installation = readMarker(env.DATA_DIR);
  if (installation === undefined) throw new ConfigurationError(`${env.DATA_DIR} belongs to no database yet.`);
  await from.claim(installation, "check");
  await to.check();
  await to.claim(installation, "mark");
  const result = await copyStorage({
    from,
    to,
    temporary: makeTemporaryFiles(temporaryFolder(env)),
    verify: process.argv.includes("--verify"),
    report: (problem) => console.log(`  ${problem}`),
  });
  const { copied, bytes, present, problems } = result;
  const place = other.STORAGE ?? join(env.DATA_DIR);
  console.log(
    `Copied ${copied} file(s) with ${bytes} bytes to ${place}; ${present} were there, ${problems} problem(s).`,
  );
  process.exitCode = problems === 0 ? 0 : 1;
});

/** STORAGE and DATASETS_DIR exclude each other, but a copy has both. */
function withoutFolder(): NodeJS.ProcessEnv {
  return { ...process.env, DATASETS_DIR: undefined };
}
