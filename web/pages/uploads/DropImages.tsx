import "@mantine/dropzone/styles.css";
import { Stack, Text } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { ImageUp } from "lucide-react";
import { type UploadFile, uploadFiles } from "./uploads";

/** Takes images, folders and zips that are dropped anywhere on the page. The server judges each file by its content. */
export function DropImages({ onDrop }: { onDrop: (files: UploadFile[]) => void }) {
  return (
    // Files are chosen by the sidebar's buttons: the input of this one is for nobody.
    <Dropzone.FullScreen
      active
      onDrop={(files) => onDrop(uploadFiles(files))}
      multiple
      inputProps={{ style: { display: "none" } }}
    >
      <Stack align="center" justify="center" h="80vh" gap="xs" style={{ pointerEvents: "none" }} aria-hidden>
        <ImageUp size={56} strokeWidth={1} />
        <Text size="lg" fw={600}>
          Drop images, folders or zip files
        </Text>
        <Text size="sm" c="dimmed">
          They are added to the folder that is open.
        </Text>
      </Stack>
    </Dropzone.FullScreen>
  );
}
