// @vitest-environment jsdom
import { notifications } from "@mantine/notifications";
import { useLocation, useNavigate } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getDatasets } from "../../../../shared/api/datasets/dataset";
import { endTour, tour } from "../../../../web/annotator/state/tour";
import { request } from "../../../../web/io/http/request";
import { TourButton } from "../../../../web/pages/help/TourButton";
import { eventually } from "../../../support/eventually";
import { makePage } from "../../../support/renderedPage";

let page: ReturnType<typeof makePage>;
let path: string;
let navigate: ReturnType<typeof useNavigate>;
/** Responds to the request for the datasets. */
let respond: ((json: unknown) => void) | undefined;

function Page() {
  path = useLocation().pathname;
  navigate = useNavigate();
  return path === "/" && <TourButton />;
}

beforeEach(async () => {
  localStorage.clear();
  respond = undefined;
  vi.spyOn(notifications, "show");
  page = makePage((call) => (call === "GET /api/dataset/data" ? new Promise((done) => (respond = done)) : undefined));
  page.show(<Page />);
  await page.press("Tour of the annotator");
  await eventually(() => expect(respond).toBeDefined());
});
afterEach(() => {
  endTour();
  page.close();
  vi.restoreAllMocks();
});

const datasets = (...ids: (number | null)[]) => ({ datasets: ids.map((first_image_id) => ({ first_image_id })) });

it("starts the tour on the first image of a dataset", async () => {
  respond?.(datasets(null, 7));
  await eventually(() => expect(path).toBe("/annotate/7"));
  expect(tour.getState().step).toBe(0);
});

it.each([
  ["opens no image", datasets(7)],
  ["shows no warning that there is none", datasets(null)],
  ["shows no error", undefined],
])("%s after the user has left the page", async (_, json) => {
  void navigate("/other");
  await eventually(() => expect(path).toBe("/other"));
  const first = respond;
  first?.(json);
  // Its response arrives later than that to the button.
  const later = request(getDatasets, { query: { page: 1 } });
  await eventually(() => expect(respond).not.toBe(first));
  respond?.(datasets(7));
  await later;
  expect(path).toBe("/other");
  expect(tour.getState().step).toBeNull();
  expect(notifications.show).not.toHaveBeenCalled();
});
