import { Stack, Text } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What stands where a list has nothing: the fact, and what to do next. */
export function EmptyState({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
      <Icon size={40} strokeWidth={1.25} color="var(--mantine-color-dimmed)" aria-hidden />
      <Text fw={600}>{title}</Text>
      {children && (
        <Stack gap="sm" align="center" maw={460} c="dimmed" fz="sm">
          {children}
        </Stack>
      )}
    </Stack>
  );
}
