import { COLLECTIONS, type Collection, type Dump } from "./openDump";
import { DumpError } from "./readBson";
import { idOfKey, keyOf, parseDocument, textOf } from "./values";

/** Numbers of a dump that are needed before anything is written. */
export interface Survey {
  /** Number of documents. */
  counts: Record<Collection, number>;
  /** Highest id that was ever given; 0 if there is none. */
  lastIds: Record<Collection, number>;
  /** Texts by which another dump of the same installation is recognized. */
  marks: string[];
  /** Sentences about files that are cut off or damaged. */
  damage: string[];
  /** Collections that are not migrated, with their numbers of documents. */
  others: { name: string; count: number }[];
}

const MAX_MARKS = 5_000;
/** Highest id that is kept, so that enough numbers are left for new ones. */
const MAX_KEPT_ID = 2_000_000_000;

/**
 * Reads a dump once, without keeping any of it: counts the documents, and finds the highest ids and files that are cut
 * off. Installations are recognized by the ObjectIds of their users, or by their datasets if they have no users.
 */
export async function surveyDump(dump: Dump): Promise<Survey> {
  const zeros = () => Object.fromEntries(COLLECTIONS.map((name) => [name, 0])) as Record<Collection, number>;
  const survey: Survey = { counts: zeros(), lastIds: zeros(), marks: [], damage: [], others: [] };
  const ofDatasets: string[] = [];
  for (const name of COLLECTIONS) {
    const isNamed = name === "user_model" || name === "dataset_model";
    await untilDamage(survey, async () => {
      for await (const bytes of dump.documents(name)) {
        survey.counts[name]++;
        const doc = isNamed ? parseDocument(bytes) : undefined;
        const key = doc ? keyOf(doc._id) : keyOf(readId(bytes));
        survey.lastIds[name] = Math.max(survey.lastIds[name], keptIdOf(key));
        if (doc && name === "user_model" && key && survey.marks.length < MAX_MARKS) survey.marks.push(`user ${key}`);
        if (doc && name === "dataset_model" && ofDatasets.length < MAX_MARKS)
          ofDatasets.push(`dataset ${key} ${textOf(doc.name) ?? ""}`);
      }
    });
  }
  if (survey.marks.length === 0) survey.marks = ofDatasets.length > 0 ? ofDatasets : ["no users and no datasets"];
  await readCounters(dump, survey);
  for (const name of dump.collections) {
    if (COLLECTIONS.some((known) => known === name) || name.startsWith("system.")) continue;
    let count = 0;
    await untilDamage(survey, async () => {
      for await (const _ of dump.documents(name)) count++;
    });
    survey.others.push({ name, count });
  }
  return survey;
}

async function untilDamage(survey: Survey, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    survey.damage.push(error.message);
  }
}

const keptIdOf = (key: string | undefined): number => {
  const id = idOfKey(key) ?? 0;
  return id <= MAX_KEPT_ID ? id : 0;
};

/** The counters have the last ids that were given, also those of documents that were deleted since. */
async function readCounters(dump: Dump, survey: Survey): Promise<void> {
  await untilDamage(survey, async () => {
    for await (const bytes of dump.documents("mongoengine.counters")) {
      const doc = parseDocument(bytes);
      const [, name] = /^(\w+)\.id$/.exec(textOf(doc?._id) ?? "") ?? [];
      const collection = COLLECTIONS.find((known) => known === name);
      if (collection) survey.lastIds[collection] = Math.max(survey.lastIds[collection], keptIdOf(keyOf(doc?.next)));
    }
  });
}

const INT32 = 0x10;

/** Reads the id of a document. Does not parse the rest if the id is an ordinary number and comes first, as always. */
function readId(bytes: Uint8Array): unknown {
  const isFirst = bytes[4] === INT32 && bytes[5] === 0x5f && bytes[6] === 0x69 && bytes[7] === 0x64 && bytes[8] === 0;
  if (isFirst && bytes.length >= 13) return new DataView(bytes.buffer, bytes.byteOffset + 9, 4).getInt32(0, true);
  return parseDocument(bytes)?._id;
}
