import { Code, List, Modal } from "@mantine/core";

export function DatasetsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Datasets">
      <List size="sm" spacing="sm">
        <List.Item>
          A dataset is a collection of pictures with the categories used to label them. Create one, then open it.
        </List.Item>
        <List.Item>
          Drop pictures, folders or zip files anywhere on the dataset's page. Or put them into its folder on the server
          (<Code>/datasets/name/</Code>) and press Scan.
        </List.Item>
        <List.Item>
          Import COCO brings annotations for pictures that are in the dataset already, matched by path or file name.
        </List.Item>
        <List.Item>Click a picture to draw on it. Export COCO gives everything back as one file.</List.Item>
        <List.Item>Share lets other users of this server label with you.</List.Item>
      </List>
    </Modal>
  );
}
