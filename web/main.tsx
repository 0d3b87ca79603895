import "./mantine.css";
import "@mantine/notifications/styles.css";
import "./global.css";
import "./adaptations.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { notifyManager, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router-dom";
import { loadLate } from "./components/late/loadLate";
import { showError } from "./components/messages/toast";
import { afterFirstPage } from "./io/firstPage";
import { watchInstallOffer } from "./io/installApp";
import { listenToCreatedCategories, listenToStoredEdits } from "./io/journal/storedEdits";
import { startServiceWorker } from "./io/serviceWorker";
import { needTexts, preferredLanguage, showLanguage } from "./languages/language";
import { useLanguage } from "./languages/useLanguage";
import { makeQueryClient } from "./queries/client";
import { makeRouter } from "./routes";
import { cssVariables, makeTheme } from "./theme";

// By default TanStack Query delivers a response after a timer, so a frame without it would be painted first.
notifyManager.setScheduler(queueMicrotask);

watchInstallOffer();
const hasTexts = showLanguage(preferredLanguage());
const client = makeQueryClient(showError);
const router = makeRouter();

/** The whole page. A change of language renders it anew, so that texts may be read anywhere while rendering. */
function Application() {
  const language = useLanguage();
  return (
    <MantineProvider key={language} theme={makeTheme()} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-left" limit={5} containerWidth={360} />
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const root = createRoot(document.getElementById("root")!);
void hasTexts.then(() =>
  root.render(
    <StrictMode>
      <Application />
    </StrictMode>,
  ),
);

listenToStoredEdits(async (owner, answered) => {
  const { keepStoredEdits } = await import("./offline/copies");
  await keepStoredEdits(owner, answered);
});

listenToCreatedCategories(async (owner, category, datasetId) => {
  const { keepCreatedCategory } = await import("./offline/copies");
  await keepCreatedCategory(owner, category, datasetId);
});

void loadLate(() => needTexts("refusals"));
if (import.meta.env.PROD) void afterFirstPage().then(startServiceWorker);
