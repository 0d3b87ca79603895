import { describe, expect, it } from "vitest";
import type { Task } from "../../../../shared/entities/task";
import { annotationText } from "../../../../web/pages/dataset/images/card/ImageCard";
import { clampSidebar } from "../../../../web/pages/dataset/useSidebarWidth";
import { taskText } from "../../../../web/pages/shell/navbar/taskText";

const task = (id: number, name: string, completed: boolean) => ({ id, name, completed }) as Task;

describe("the task indicator", () => {
  it("shows Done with the last task, the running one, or that there are several", () => {
    expect(taskText([])).toBe("Done");
    expect(taskText([task(2, "Scanning street", true), task(1, "Exporting", true)])).toBe("Done scanning street");
    expect(taskText([task(2, "Scanning street", false), task(3, "Exporting", true)])).toBe("Scanning street");
    expect(taskText([task(2, "Scanning", false), task(3, "Exporting", false)])).toBe("Multiple tasks running ...");
  });
});

describe("an image card", () => {
  it("counts annotations, and distinguishes annotated images without any", () => {
    expect(annotationText({ annotated: true, num_annotations: 2 })).toBe("2 annotations");
    expect(annotationText({ annotated: true, num_annotations: 1 })).toBe("1 annotation");
    expect(annotationText({ annotated: true, num_annotations: 0 })).toBe("Annotated");
    expect(annotationText({ annotated: false, num_annotations: 0 })).toBe("No annotations");
  });
});

describe("the sidebar", () => {
  it("the sidebar is at least 150 px and at most half the window wide", () => {
    expect(clampSidebar(10, 1200)).toBe(150);
    expect(clampSidebar(900, 1200)).toBe(600);
    expect(clampSidebar(240, 1200)).toBe(240);
  });
});
