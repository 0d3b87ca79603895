import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "../AuthPage.module.css";

/** What stands around the forms by which one gets in: no navigation bar, the installation's name, and what it is for. */
export function AuthFrame({ name, children }: { name: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <Stack gap="lg" w="100%" maw={400}>
        <Stack gap={4} ta="center" align="center">
          <img src="./icon.svg" width={56} height={56} alt="" />
          <Title order={1}>{name}</Title>
          <Text size="sm" c="dimmed">
            Efficient image labelling for image localization and object detection.
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="md">
          {children}
        </Paper>
      </Stack>
    </main>
  );
}
