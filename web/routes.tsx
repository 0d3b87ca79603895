import type { ComponentType } from "react";
import { createBrowserRouter, Navigate } from "react-router-dom";
import { baseUrl } from "./io/http/url";
import { needTexts, type Part } from "./languages/language";
import { Loading } from "./pages/common/Loading";
import { NotFoundPage } from "./pages/common/NotFoundPage";
import { RouteError } from "./pages/common/RouteError";
import { DatasetsPage } from "./pages/datasets/DatasetsPage";
import { Shell } from "./pages/shell/Shell";

/**
 * Returns the router with all screens (specification §2). Each page is a separate chunk, loaded on first use, except
 * the datasets page, which opens after the login, and the page for unknown addresses.
 */
export function makeRouter() {
  return createBrowserRouter(
    [
      {
        errorElement: <RouteError />,
        HydrateFallback: Loading,
        children: [
          { path: "/auth", lazy: page(async () => (await import("./pages/auth/AuthPage")).AuthPage, "start") },
          { path: "/setup", lazy: page(async () => (await import("./pages/auth/SetupPage")).SetupPage, "start") },
          {
            Component: Shell,
            children: [
              {
                // Inside the shell, so that the navigation bar stays usable when a page crashes.
                errorElement: <RouteError />,
                children: [
                  { index: true, element: <Navigate to="/datasets" replace /> },
                  { path: "datasets", Component: DatasetsPage },
                  {
                    path: "dataset/:id",
                    lazy: page(async () => (await import("./pages/dataset/DatasetPage")).DatasetPage),
                  },
                  {
                    path: "annotate/:id",
                    lazy: page(async () => (await import("./pages/annotate/AnnotatePage")).AnnotatePage, "annotator"),
                  },
                  {
                    path: "categories",
                    lazy: page(async () => (await import("./pages/categories/CategoriesPage")).CategoriesPage),
                  },
                  {
                    path: "last/dataset",
                    lazy: page(async () => (await import("./pages/offline/LastPage")).LastDatasetPage, "start"),
                  },
                  {
                    path: "last/image",
                    lazy: page(async () => (await import("./pages/offline/LastPage")).LastImagePage, "start"),
                  },
                  {
                    path: "consensus/:id",
                    lazy: page(async () => (await import("./pages/consensus/ConsensusPage")).ConsensusPage),
                  },
                  {
                    path: "comments",
                    lazy: page(async () => (await import("./pages/comments/CommentsPage")).CommentsPage),
                  },
                  { path: "work", lazy: page(async () => (await import("./pages/myWork/WorkPage")).WorkPage) },
                  { path: "undo", lazy: page(async () => (await import("./pages/undo/UndoPage")).UndoPage) },
                  {
                    path: "tasks",
                    lazy: page(async () => (await import("./pages/tasks/TasksPage")).TasksPage),
                  },
                  {
                    path: "conflicts",
                    lazy: page(
                      async () => (await import("./pages/conflicts/ConflictsPage")).ConflictsPage,
                      "annotator",
                    ),
                  },
                  {
                    path: "review",
                    lazy: page(async () => (await import("./pages/review/ReviewPage")).ReviewPage),
                  },
                  { path: "user", lazy: page(async () => (await import("./pages/user/UserPage")).UserPage) },
                  {
                    path: "admin/panel",
                    lazy: page(async () => (await import("./pages/admin/AdminPage")).AdminPage),
                  },
                  { path: "help", lazy: page(async () => (await import("./pages/help/HelpPage")).HelpPage) },
                  { path: "about", lazy: page(async () => (await import("./pages/AboutPage")).AboutPage) },
                  { path: "*", Component: NotFoundPage },
                ],
              },
            ],
          },
        ],
      },
    ],
    { basename: baseUrl().pathname.replace(/\/$/, "") || "/" },
  );
}

/** Returns a loader of a page's code, and of its texts if the page is not in English. */
const page =
  (load: () => Promise<ComponentType>, part: Part = "pages") =>
  async () => {
    const [Component] = await Promise.all([load(), needTexts(part)]);
    return { Component };
  };
