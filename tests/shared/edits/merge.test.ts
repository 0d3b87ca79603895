import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChange, applyEdit, blankAnnotation } from "../../../shared/edits/apply";
import { attributesClash, mergedAttributes } from "../../../shared/edits/attributes";
import type { AnnotationChange, AnnotationEdit, Change } from "../../../shared/edits/edit";
import { fieldsOf } from "../../../shared/edits/fields";
import { modification } from "../../../shared/edits/make";
import { conflictingFields } from "../../../shared/edits/merge";
import type { Annotation } from "../../../shared/entities/annotation";
import type { Json } from "../../../shared/entities/scalars";
import { arbitraryChange } from "./arbitraries";

const UUID = "00000000-0000-4000-8000-000000000001";

function edit(action: AnnotationEdit["action"], after: AnnotationChange): AnnotationEdit {
  return { uuid: UUID, image_id: 7, base: 1, subject: "annotation", target: UUID, action, before: {}, after };
}
function change(client: string, fields: Change["fields"], action: Change["action"] = "modify") {
  return { subject: "annotation" as const, action, fields, client, edit: randomUUID() };
}

describe("overlap of edited fields", () => {
  test("rings and isbbox are one field", () => {
    expect(fieldsOf(edit("modify", { isbbox: true }))).toEqual(["shape"]);
    expect(fieldsOf(edit("modify", { rings: [], color: "#000000" }))).toEqual(["shape", "color"]);
    expect(conflictingFields(edit("modify", { rings: [] }), [change("b", { isbbox: true })], "a")).toEqual(["shape"]);
  });

  test("different fields merge", () => {
    expect(conflictingFields(edit("modify", { color: "#000000" }), [change("b", { rings: [] })], "a")).toEqual([]);
  });

  test("a client's own later changes do not conflict", () => {
    expect(conflictingFields(edit("modify", { rings: [] }), [change("a", { rings: [] })], "a")).toEqual([]);
  });

  test("a change that the edit knows does not conflict, and others of its client do", () => {
    const [known, unknown] = [change("b", { rings: [] }), change("b", { color: "#000000" })];
    const sent = { ...edit("modify", { rings: [], color: "#ffffff" }), knows: [known.edit] };
    expect(conflictingFields(sent, [known, unknown], "a")).toEqual(["color"]);
  });

  test("changes without a client count as another client's", () => {
    const later = { ...change("", { rings: [] }), client: null };
    expect(conflictingFields(edit("modify", { rings: [] }), [later], null)).toEqual(["shape"]);
  });

  test("a deletion overlaps every change, and derived values overlap nothing", () => {
    expect(conflictingFields(edit("delete", {}), [change("b", { color: "#000000" })], "a")).toEqual(["color"]);
    expect(conflictingFields(edit("delete", {}), [change("b", { area: 3 })], "a")).toEqual([]);
  });
});

/** A minimal server of one annotation, with the guarantees of storeBatch. */
class Server {
  log: Change[] = [];
  document: Annotation | undefined = { ...blankAnnotation(UUID, 7), category_id: 1, revision: 1 };

  send(sent: AnnotationEdit, client: string): "applied" | "conflict" {
    const later = this.log.filter((each) => each.revision > sent.base);
    if (!this.document) return "conflict";
    const conflicting = conflictingFields(sent, later, client).filter((field) => field !== "attributes");
    if (conflicting.length > 0 || attributesClash(sent, this.document.attributes)) return "conflict";
    const fields = { ...sent.after, ...mergedAttributes(sent, this.document) } as Record<string, Json>;
    const revision = this.document.revision + 1;
    this.document = { ...(applyEdit(this.document, sent) as Annotation), revision };
    const { uuid, action } = sent;
    this.log.push({
      image_revision: revision,
      subject: "annotation",
      subject_id: UUID,
      revision,
      action,
      fields,
      edit: uuid,
      client,
      user: client,
    });
    return "applied";
  }
}

/**
 * A tab that shows the stored annotation with its unsent edits on top. A refused edit moves from the queue to the
 * conflicts.
 */
class Tab {
  queue: AnnotationEdit[] = [];
  drafts: AnnotationEdit[] = [];
  stored: Annotation;

  constructor(
    readonly name: string,
    readonly server: Server,
  ) {
    this.stored = server.document as Annotation;
  }
  get shown(): Annotation {
    return this.queue.reduce((shown, each) => applyEdit(shown, each) as Annotation, this.stored);
  }
  draw(wanted: AnnotationChange) {
    const made = modification(UUID, this.shown, wanted);
    if (made) this.queue.push(made);
  }
  push() {
    const sent = this.queue.splice(0);
    for (const each of sent) if (this.server.send(each, this.name) === "conflict") this.drafts.push(each);
    this.pull();
  }
  pull() {
    for (const each of this.server.log) this.stored = applyChange(this.stored, each, 7) as Annotation;
  }
}

describe("two clients with unsent edits", () => {
  const step = fc.oneof(
    fc.record({ tab: fc.nat(1), draw: arbitraryChange }),
    fc.record({ tab: fc.nat(1), sync: fc.constantFrom("push" as const, "pull" as const) }),
  );

  test("converge to the server's state", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const server = new Server();
        const tabs = [new Tab("a", server), new Tab("b", server)] as const;
        for (const each of steps) {
          const tab = tabs[each.tab as 0 | 1];
          if ("draw" in each) tab.draw(each.draw);
          else tab[each.sync]();
        }
        for (const tab of tabs) tab.push();
        for (const tab of tabs) tab.pull();
        expect(tabs[0].shown).toEqual(server.document);
        expect(tabs[1].shown).toEqual(server.document);
        const replayed = server.log.reduce<Annotation | undefined>((document, each) => applyChange(document, each, 7), {
          ...blankAnnotation(UUID, 7),
          category_id: 1,
          revision: 1,
        });
        expect(replayed).toEqual(server.document);
        expect(server.log.map((each) => each.revision)).toEqual(server.log.map((_, index) => index + 2));
      }),
      { numRuns: 500 },
    );
  });
});
