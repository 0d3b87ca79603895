import type { Migration } from "kysely";
import { firstTables } from "./0001-firstTables";
import { listIndices } from "./0002-listIndices";
import { emptyAnnotations } from "./0003-emptyAnnotations";
import { trash } from "./0004-trash";
import { accounts } from "./0005-accounts";
import { imageCounts } from "./0006-imageCounts";
import { doneImages } from "./0007-doneImages";
import { statisticsBlocks } from "./0008-statisticsBlocks";
import { imageCategories } from "./0009-imageCategories";
import { partsOfNames } from "./0010-partsOfNames";
import { imagesBefore } from "./0011-imagesBefore";
import { pointsWithoutLabels } from "./0012-pointsWithoutLabels";
import { taskFollowers } from "./0014-taskFollowers";
import { sentScenes } from "./0015-sentScenes";
import { shapesAsText } from "./0018-shapesAsText";
import { attempts } from "./0019-attempts";
import { installation } from "./0020-installation";
import { dataFolderMarks } from "./0021-dataFolderMarks";
import { historyAsText } from "./0023-historyAsText";
import { commands } from "./0025-commands";
import { uncompressedShapes } from "./0026-uncompressedShapes";
import { reservedCategoryIds } from "./0027-reservedCategoryIds";
import { sentAt } from "./0028-sentAt";
import { foldedText } from "./0029-foldedText";
import { attributes } from "./0030-attributes";
import { boxesBefore } from "./0031-boxesBefore";
import { datasetNames } from "./0032-datasetNames";
import { lastActivity } from "./0033-lastActivity";
import { webhooks } from "./0034-webhooks";
import { migratedRows } from "./0035-migratedRows";
import { quality } from "./0036-quality";
import { versions } from "./0038-versions";
import { memberRoles } from "./0039-memberRoles";
import { stages } from "./0040-stages";
import { comments } from "./0041-comments";
import { assignees } from "./0042-assignees";
import { consensus } from "./0043-consensus";
import { qualityLooks } from "./0045-quality-looks";
import { leases } from "./0046-leases";
import { openImages } from "./0047-open-images";
import { looksInOrder } from "./0049-looks-in-order";
import { embeddings } from "./0050-embeddings";
import { deletedOfImages } from "./0051-deleted-of-images";

/** All migrations, by number. Never change a released migration or its name, which databases store: add a new one. */
export const migrations: Record<string, Migration> = {
  "0001-ground": firstTables,
  "0002-list-indices": listIndices,
  "0003-empty-annotations": emptyAnnotations,
  "0004-bin": trash,
  "0005-accounts": accounts,
  "0006-image-counts": imageCounts,
  "0007-done-images": doneImages,
  "0008-statistics-blocks": statisticsBlocks,
  "0009-image-categories": imageCategories,
  "0010-parts-of-names": partsOfNames,
  "0011-images-before": imagesBefore,
  "0012-points-without-labels": pointsWithoutLabels,
  "0014-task-followers": taskFollowers,
  "0015-sent-scenes": sentScenes,
  "0018-shapes-as-text": shapesAsText,
  "0019-attempts": attempts,
  "0020-installation": installation,
  "0021-data-folder-marks": dataFolderMarks,
  "0023-history-as-text": historyAsText,
  "0025-commands": commands,
  "0026-uncompressed-shapes": uncompressedShapes,
  "0027-reserved-category-ids": reservedCategoryIds,
  "0028-sent-at": sentAt,
  "0029-folded-text": foldedText,
  "0030-attributes": attributes,
  "0031-boxes-before": boxesBefore,
  "0032-dataset-names": datasetNames,
  "0033-last-activity": lastActivity,
  "0034-webhooks": webhooks,
  "0035-migrated-rows": migratedRows,
  "0036-quality": quality,
  "0038-versions": versions,
  "0039-member-roles": memberRoles,
  "0040-stages": stages,
  "0041-comments": comments,
  "0042-assignees": assignees,
  "0043-consensus": consensus,
  "0045-quality-looks": qualityLooks,
  "0046-leases": leases,
  "0047-open-images": openImages,
  "0049-looks-in-order": looksInOrder,
  "0050-embeddings": embeddings,
  "0051-deleted-of-images": deletedOfImages,
};
