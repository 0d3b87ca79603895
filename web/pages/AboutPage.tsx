import { Anchor, Container, Stack, Text, Title } from "@mantine/core";
import { baseUrl } from "../io/http/url";
import { useInfo, useInstallationName } from "../queries/session";
import { PageTitle } from "./common/PageTitle";

export function AboutPage() {
  const name = useInstallationName();
  const info = useInfo();
  return (
    <Container size="sm" py="xl">
      <PageTitle>About</PageTitle>
      <Stack gap="sm">
        <Title order={1}>Web-based Image Annotation Tool</Title>
        <Text>
          {name} is a tool for annotating images, to build training data for object detection, segmentation and keypoint
          detection. It imports and exports COCO files.
        </Text>
        <Text c="dimmed" size="sm">
          Version {info.state === "loaded" ? info.data.version : info.state === "loading" ? "…" : "unknown"}
          {info.state === "loaded" &&
            info.data.database === "embedded" &&
            ". The embedded database survives a server crash, but not a power failure. Set DATABASE_URL for production use."}
        </Text>
        <Anchor href={new URL("api", baseUrl()).href} size="sm">
          API documentation
        </Anchor>
      </Stack>
    </Container>
  );
}
