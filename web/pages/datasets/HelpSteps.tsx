import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Code, List, Text } from "@mantine/core";

/** Instructions from an empty list to labelled images, in three steps. */
export function HelpSteps() {
  return (
    <>
      <List type="ordered" size="sm" spacing="sm">
        <List.Item>
          <Trans>
            <b>Create a dataset.</b> It is a collection of images with the categories used to label them. Or press{" "}
            <b>Import</b> to make one from a COCO, YOLO or Pascal VOC file and its images.
          </Trans>
        </List.Item>
        <List.Item>
          <Trans>
            <b>Add images.</b> Open the dataset and drop images, folders or zip files anywhere on its page; or put them
            into its folder on the server (<Code>/datasets/name/</Code>) and press <b>Scan</b>; or let <b>Generate</b>{" "}
            search for a keyword.
          </Trans>
        </List.Item>
        <List.Item>
          <Trans>
            <b>Label them.</b> Click an image to draw on it. <b>Import COCO</b> adds annotations to images that are
            already in the dataset, and <b>Export COCO</b> exports everything as one file.
          </Trans>
        </List.Item>
      </List>
      <Text size="sm" mt="md" c="dimmed">
        {t`To let other users of this server label with you, choose Share in the menu of a dataset.`}
      </Text>
    </>
  );
}
