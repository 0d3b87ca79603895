export const SERVER_PARTS: readonly string[];
export function buildServer(options?: { withTests?: boolean; folder?: string }): Promise<void>;
