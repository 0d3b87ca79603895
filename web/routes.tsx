import { createBrowserRouter, Navigate } from "react-router-dom";
import { baseUrl } from "./io/http/url";
import { Loading } from "./pages/common/Loading";
import { NotFoundPage } from "./pages/common/NotFoundPage";
import { RouteError } from "./pages/common/RouteError";
import { Shell } from "./pages/shell/Shell";

/** Every screen by its path (specification §2). Each page is a file of its own, loaded when it is first wanted. */
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
                // Inside the shell, so that the way out of a broken page stays on the screen.
                errorElement: <RouteError />,
                children: [
                  { index: true, element: <Navigate to="/datasets" replace /> },
                  {
                    path: "datasets",
                    lazy: async () => ({ Component: (await import("./pages/datasets/DatasetsPage")).DatasetsPage }),
                  },
                  {
                    path: "dataset/:id",
                    lazy: async () => ({ Component: (await import("./pages/dataset/DatasetPage")).DatasetPage }),
                  },
                  {
                    path: "annotate/:id",
                    lazy: async () => ({ Component: (await import("./pages/AnnotatePage")).AnnotatePage }),
                  },
                  {
                    path: "categories",
                    lazy: async () => ({
                      Component: (await import("./pages/categories/CategoriesPage")).CategoriesPage,
                    }),
                  },
                  { path: "undo", lazy: async () => ({ Component: (await import("./pages/undo/UndoPage")).UndoPage }) },
                  {
                    path: "tasks",
                    lazy: async () => ({ Component: (await import("./pages/tasks/TasksPage")).TasksPage }),
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
