import type { Page } from "@playwright/test";
import type { TeamData } from "../support/teamData";
import type { Camera } from "./camera";

interface Studio {
  camera: Camera;
  /** Page of the dataset's owner. */
  page: Page;
  url: string;
  team: TeamData;
}

/** Takes pictures of what a team uses: findings, stages with comments, an image's history, work, and consensus. */
export async function takeTeamPictures({ camera, page, url, team }: Studio): Promise<void> {
  const open = (path: string) => page.goto(url + path);

  await team.findFaults([1, 2, 4], [3, 5]);
  await open("dataset/1");
  await page.getByRole("tab", { name: "Quality" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: /^Checked / })
    .waitFor();
  await page.getByRole("button", { name: "Duplicate annotations" }).click();
  await page.getByRole("article").first().waitFor();
  await camera.take(page, "dataset-quality");

  await team.review(1, 2, 6, [3, 4, 5]);
  await open(`annotate/${team.imageOf(1)}?stage=to_review`);
  await page.getByRole("button", { name: /^Thread 1/ }).click();
  await page.getByRole("region", { name: "Thread 1" }).waitFor();
  await camera.take(page, "review");
  await open("comments?about=all");
  await page.getByRole("link", { name: /Two houses/ }).waitFor();
  await camera.take(page, "comments");
  await open("work");
  await page.getByRole("region", { name: "Returned to me" }).waitFor();
  await camera.take(page, "my-work");
  await open("dataset/1");
  await page.getByRole("tab", { name: "Images" }).click();
  await page.getByRole("navigation", { name: "Images by stage" }).waitFor();
  await camera.take(page, "dataset-stages");

  await open(`annotate/${team.imageOf(2)}`);
  await page.getByRole("treeitem").first().waitFor();
  await page.getByRole("application", { name: /^Image / }).focus();
  await page.keyboard.press("Shift+T");
  await page.getByRole("region", { name: "History" }).getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("img", { name: "The image at the chosen moment" }).waitFor();
  await camera.take(page, "history");

  await team.annotateCopies([8, 10]);
  await open("dataset/1");
  await page.getByRole("tab", { name: "Consensus" }).click();
  await page.getByRole("region", { name: "Annotators", exact: true }).getByRole("row").nth(1).waitFor();
  await camera.take(page, "dataset-consensus");
  await open(`consensus/${team.imageOf(8)}`);
  await page.getByRole("list", { name: "Objects" }).getByRole("listitem").first().waitFor();
  await camera.take(page, "consensus");
}
