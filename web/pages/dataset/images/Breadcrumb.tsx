import { t } from "@lingui/core/macro";
import { Anchor, Breadcrumbs, Text } from "@mantine/core";
import classes from "./ImagesTab.module.css";

interface Props {
  dataset: string;
  folder: string;
  onOpen: (folder: string) => void;
}

/** The open folder and its parents, as links. */
export function Breadcrumb({ dataset, folder, onOpen }: Props) {
  const parts = folder === "" ? [] : folder.split("/");
  const steps = [
    { name: dataset, path: "" },
    ...parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join("/") })),
  ];
  return (
    <Breadcrumbs
      separatorMargin={6}
      component="nav"
      aria-label={t`Folder`}
      classNames={{ root: classes.folders, breadcrumb: classes.folder }}
    >
      {steps.map(({ name, path }) =>
        path === folder ? (
          <Text key={path} size="sm" fw={600} aria-current="page" title={name}>
            {name}
          </Text>
        ) : (
          <Anchor key={path} component="button" fz="sm" title={name} onClick={() => onOpen(path)}>
            {name}
          </Anchor>
        ),
      )}
    </Breadcrumbs>
  );
}
