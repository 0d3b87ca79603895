import { t } from "@lingui/core/macro";
import "@mantine/dropzone/styles.css";
import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { ImageUp } from "lucide-react";
import { type UploadFile, uploadFiles } from "./uploads";

/** Drop zone for images, folders and zips that covers the whole page. The server checks each file by its content. */
export function DropImages({ onDrop }: { onDrop: (files: UploadFile[]) => void }) {
  return (
    // The file input is hidden, because the sidebar has buttons to choose files.
    <Dropzone.FullScreen
      active
      onDrop={(files) => onDrop(uploadFiles(files))}
      multiple
      inputProps={{ style: { display: "none" } }}
    >
      <Stack align="center" justify="center" h="80vh" gap="xs" style={{ pointerEvents: "none" }} aria-hidden>
        <ImageUp size={56} strokeWidth={1} />
        <Text size="lg" fw={600}>
          {t`Drop images, folders or zip files`}
        </Text>
        <Text size="sm" c="dimmed">
          {t`They will be added to the open folder.`}
        </Text>
      </Stack>
    </Dropzone.FullScreen>
  );
}
