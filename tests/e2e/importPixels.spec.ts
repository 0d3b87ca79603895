import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { jpegWithOrientation } from "../support/images";
import { startLiveServer } from "../support/liveServer";
import { addImages, createDataset, register } from "../support/userSteps";

test("an import asks which pixels a file was made for when images are rotated and the file does not show it", async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "limn-pixels-"));
  const server = await startLiveServer();
  try {
    const [image, coco] = [join(folder, "half.jpg"), join(folder, "stored.json")];
    writeFileSync(image, await jpegWithOrientation(3, 10));
    writeFileSync(
      coco,
      JSON.stringify({
        images: [{ id: 1, file_name: "half.jpg", width: 400, height: 200 }],
        categories: [{ id: 1, name: "corner" }],
        annotations: [{ image_id: 1, category_id: 1, segmentation: [[0, 0, 100, 0, 100, 50, 0, 50]] }],
      }),
    );
    await register(page, server.url);
    await createDataset(page, "turned");
    await addImages(page, [image]);
    await page.getByLabel("COCO file").setInputFiles(coco);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("1 image is stored rotated or mirrored")).toBeVisible();
    await expect(dialog.getByRole("radio", { name: /upright images/ })).toBeChecked();
    await dialog.getByRole("radio", { name: /pixels as stored/ }).check();
    await page.screenshot({ path: test.info().outputPath("question.png") });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText(/undo import/i)).toBeVisible();
    await expect(page.getByText(/they were turned upright/)).toBeVisible();
    const answer = await page.request.get(`${server.url}api/dataset/1/coco`);
    expect((await answer.json()).annotations[0].bbox).toEqual([300, 150, 100, 50]);
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
