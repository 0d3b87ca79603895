import * as calls from "../../../shared/api/datasets/quality";
import { transaction } from "../../db/transaction";
import { editableDataset, visibleDataset } from "../../features/access/access";
import { listFixes } from "../../features/quality/fix/fixRecords";
import { startFixes, startUndoFixes } from "../../features/quality/fix/startFixes";
import { lastCheck } from "../../features/quality/lastCheck";
import { countFindings, findingsPage, ignore, targetsOf } from "../../features/quality/listFindings";
import { enqueue } from "../../queue/queue";
import { type Route, route } from "../http/route";
import { started } from "../http/started";

/** The quality check of a dataset, its findings, and their fixes. */
export const datasetQualityRoutes: Route[] = [
  route(calls.startQualityCheck, async ({ params, user, services: { db, wakeRunner } }) => {
    const dataset = await editableDataset(db, user, params.id);
    const task = await transaction(db, (trx) =>
      enqueue(trx, {
        kind: "checkQuality",
        name: `Checking the quality of ${dataset.name}`,
        key: `quality:${dataset.id}`,
        payload: { dataset_id: dataset.id },
        creatorId: user.id,
        datasetId: dataset.id,
      }),
    );
    wakeRunner();
    return started(task);
  }),

  route(calls.getQuality, async ({ params, user, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    const checked = await lastCheck(db, dataset.id);
    const fixes = await listFixes(db, dataset.id);
    return {
      checked: checked ? { ...checked, finished_at: checked.finished_at.toISOString() } : null,
      kinds: await countFindings(db, dataset.id),
      fixes: fixes.map(({ person_id, made_at, ...fix }) => ({
        ...fix,
        made_at: made_at.toISOString(),
        is_own: person_id === user.id,
      })),
    };
  }),

  route(calls.listFindings, async ({ params, query, user, services: { db } }) => {
    const dataset = await visibleDataset(db, user, params.id);
    return findingsPage(db, dataset.id, query);
  }),

  route(calls.ignoreFindings, async ({ params, body, user, services: { db } }) => {
    const dataset = await editableDataset(db, user, params.id);
    const { ignored, ...which } = body;
    await ignore(db, dataset.id, user.id, body.kind, await targetsOf(db, dataset.id, which), ignored);
    return { success: true };
  }),

  route(calls.fixFindings, async ({ params, body, user, services }) =>
    started(await startFixes(services, user, await editableDataset(services.db, user, params.id), body)),
  ),

  route(calls.undoFixes, async ({ params, body, user, services }) =>
    started(await startUndoFixes(services, user, await editableDataset(services.db, user, params.id), body.undo)),
  ),
];
