import { createBrowserRouter, Navigate } from "react-router-dom";
import { baseUrl } from "./io/http/url";
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
          { path: "/auth", lazy: async () => ({ Component: (await import("./pages/auth/AuthPage")).AuthPage }) },
          { path: "/setup", lazy: async () => ({ Component: (await import("./pages/auth/SetupPage")).SetupPage }) },
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
                    lazy: async () => ({ Component: (await import("./pages/dataset/DatasetPage")).DatasetPage }),
                  },
                  {
                    path: "annotate/:id",
                    lazy: async () => ({ Component: (await import("./pages/annotate/AnnotatePage")).AnnotatePage }),
                  },
                  {
                    path: "categories",
                    lazy: async () => ({
                      Component: (await import("./pages/categories/CategoriesPage")).CategoriesPage,
                    }),
                  },
                  {
                    path: "last/dataset",
                    lazy: async () => ({ Component: (await import("./pages/offline/LastPage")).LastDatasetPage }),
                  },
                  {
                    path: "last/image",
                    lazy: async () => ({ Component: (await import("./pages/offline/LastPage")).LastImagePage }),
                  },
                  { path: "undo", lazy: async () => ({ Component: (await import("./pages/undo/UndoPage")).UndoPage }) },
                  {
                    path: "tasks",
                    lazy: async () => ({ Component: (await import("./pages/tasks/TasksPage")).TasksPage }),
                  },
                  {
                    path: "conflicts",
                    lazy: async () => ({ Component: (await import("./pages/conflicts/ConflictsPage")).ConflictsPage }),
                  },
                  {
                    path: "review",
                    lazy: async () => ({ Component: (await import("./pages/review/ReviewPage")).ReviewPage }),
                  },
                  { path: "user", lazy: async () => ({ Component: (await import("./pages/user/UserPage")).UserPage }) },
                  {
                    path: "admin/panel",
                    lazy: async () => ({ Component: (await import("./pages/admin/AdminPage")).AdminPage }),
                  },
                  { path: "help", lazy: async () => ({ Component: (await import("./pages/help/HelpPage")).HelpPage }) },
                  { path: "about", lazy: async () => ({ Component: (await import("./pages/AboutPage")).AboutPage }) },
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
