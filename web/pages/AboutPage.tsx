import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Anchor, Container, Stack, Text, Title } from "@mantine/core";
import { baseUrl } from "../io/http/url";
import { useInfo, useInstallationName } from "../queries/session";
import { PageTitle } from "./common/PageTitle";

export function AboutPage() {
  const name = useInstallationName();
  const info = useInfo();
  const version = info.state === "loaded" ? info.data.version : info.state === "loading" ? "…" : t`unknown`;
  return (
    <Container size="var(--page-width)" p="var(--page-padding)">
      <PageTitle>{t`About`}</PageTitle>
      <Stack gap="sm" maw={640}>
        <Title order={1}>{t`Web-based Image Annotation Tool`}</Title>
        <Text>
          <Trans>
            {name} is a tool for annotating images, to build training data for object detection, segmentation and
            keypoint detection. It imports and exports COCO files.
          </Trans>
        </Text>
        <Text c="dimmed" size="sm">
          {info.state === "loaded" && info.data.database === "embedded"
            ? t`Version ${version}. The embedded database survives a server crash, but not a power failure. Set DATABASE_URL for production use.`
            : t`Version ${version}`}
        </Text>
        <Anchor href={new URL("api", baseUrl()).href} size="sm">
          {t`API documentation`}
        </Anchor>
      </Stack>
    </Container>
  );
}
