import { Stack, Text } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  icon: LucideIcon;
  title: string;
  /** True if the page shows nothing else. The title is then the page's heading. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Placeholder for an empty list or page: why it is empty, and what to do next. */
export function EmptyState({ icon: Icon, title, isPage = false, children }: Props) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
      <Icon size={40} strokeWidth={1.25} color="var(--mantine-color-dimmed)" aria-hidden />
      <Text component={isPage ? "h1" : "p"} fw={600} m={0}>
        {title}
      </Text>
      {children && (
        <Stack gap="sm" align="center" maw={460} c="dimmed" fz="sm">
          {children}
        </Stack>
      )}
    </Stack>
  );
}
