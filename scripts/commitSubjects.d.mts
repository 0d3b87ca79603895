export function longSubjects(folder: string): { checked: number; long: { hash: string; subject: string }[] } | null;
