import { msg } from "@lingui/core/macro";
import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { Pencil, Share2, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useNavigate } from "react-router-dom";
import { NeedsServer } from "../../components/offline/NeedsServer";
import { i18n } from "../../languages/i18n";
import type { AboutDataset } from "../../queries/dataset";
import { useInfo } from "../../queries/session";
import type { DialogName } from "../datasets/dialogs/DatasetDialogs";
import { QueueSetting } from "./QueueSetting";
import { ReviewSetting } from "./ReviewSetting";

const DatasetDialogs = lazy(async () => ({
  default: (await import("../datasets/dialogs/DatasetDialogs")).DatasetDialogs,
}));

/** Deletion comes last, after all other settings. */
const COMMANDS = [
  {
    dialog: "edit",
    title: msg`Name, categories and metadata`,
    text: msg`The dataset's name, the categories that the annotator offers, and the metadata of new annotations.`,
    button: msg`Edit`,
    icon: Pencil,
    may: "edit",
  },
  {
    dialog: "share",
    title: msg`Sharing`,
    text: msg`Members open the dataset. Their roles decide who annotates, reviews and manages it.`,
    button: msg`Share`,
    icon: Share2,
    may: "share",
  },
  {
    dialog: "delete",
    title: msg`Delete`,
    text: msg`Moves the dataset with its images and annotations to the trash, from which it can be restored.`,
    button: msg`Delete dataset`,
    icon: Trash2,
    may: "delete",
  },
] as const;

interface Props {
  about: AboutDataset;
  /** Other settings, before the command that deletes the dataset. */
  children: ReactNode;
}

/** The commands of a dataset's menu that the user may run, each with an explanation, and the settings for its team. */
export function DatasetSettings({ about: { dataset, categories }, children }: Props) {
  const navigate = useNavigate();
  const info = useInfo();
  const [open, setOpen] = useState<DialogName | null>(null);
  // The dialogs stay mounted once used, because commands may still be under way when they are closed.
  const [isUsed, setUsed] = useState(false);
  if (open && !isUsed) setUsed(true);
  const hasOthers = info.state !== "loaded" || info.data.login_enabled;
  const cards = COMMANDS.map(({ dialog, title, text, button, icon: Icon, may }) =>
    !dataset.permissions[may] || (dialog === "share" && !hasOthers) ? null : (
      <Paper key={dialog} withBorder p="md">
        <Title order={2}>{i18n._(title)}</Title>
        <Text size="sm" my="xs">
          {i18n._(text)}
        </Text>
        <Group>
          <NeedsServer>
            <Button
              variant="default"
              c={dialog === "delete" ? "var(--mantine-color-error)" : undefined}
              leftSection={<Icon size={14} />}
              onClick={() => setOpen(dialog)}
            >
              {i18n._(button)}
            </Button>
          </NeedsServer>
        </Group>
      </Paper>
    ),
  );
  return (
    <>
      {cards.slice(0, -1)}
      {dataset.permissions.manage && hasOthers && <ReviewSetting dataset={dataset} />}
      {dataset.permissions.manage && hasOthers && <QueueSetting dataset={dataset} />}
      {children}
      {cards.at(-1)}
      {isUsed && (
        <Suspense>
          <DatasetDialogs
            dataset={dataset}
            categories={categories}
            open={open}
            onClose={() => setOpen(null)}
            onDeleted={() => void navigate("/datasets")}
          />
        </Suspense>
      )}
    </>
  );
}
